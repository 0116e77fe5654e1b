// SPDX-License-Identifier: MIT
// OpenCV on the CPU (Debian: libopencv-dev). GaussianBlur computes in fixed point and gives the
// same bytes as Convolab; filter2D and sepFilter2D round half to even. filter2D takes any filter.
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "tools/peers/peer.hpp"

namespace peer {
namespace {

class OpenCv final : public Contender {
  public:
    OpenCv(std::string function, const PeerJob& job)
        : function_(std::move(function)),
          ksize_(job.ksize),
          sigma_(job.sigma),
          row_(1, job.ksize, CV_32F),
          taps_(job.ksize, job.ksize, CV_32F),
          in_(job.height, job.width, CV_8UC(job.channels)),
          out_(job.height, job.width, CV_8UC(job.channels)) {
        cv::setNumThreads(job.threads);
        std::memcpy(in_.data, job.pixels, bytes(job));
        for (int i = 0; i < ksize_ * ksize_; ++i)
            taps_.at<float>(i / ksize_, i % ksize_) = job.taps[i] / static_cast<float>(job.divisor);
        if (function_ == "filter2D") return;
        for (int i = 0; i < ksize_; ++i)
            row_.at<float>(i) = row_of(job)[i] / static_cast<float>(job.row_divisor);
    }
    void run() override {
        constexpr int kBorder = cv::BORDER_REPLICATE;
        if (function_ == "GaussianBlur")
            cv::GaussianBlur(in_, out_, {ksize_, ksize_}, sigma_, sigma_, kBorder);
        else if (function_ == "filter2D")
            cv::filter2D(in_, out_, -1, taps_, {-1, -1}, 0, kBorder);
        else
            cv::sepFilter2D(in_, out_, -1, row_, row_, {-1, -1}, 0, kBorder);
    }
    void output(std::uint8_t* samples) override {
        std::memcpy(samples, out_.data, out_.total() * out_.elemSize());
    }

  private:
    std::string function_;
    int ksize_;
    double sigma_;
    cv::Mat row_, taps_, in_, out_;
};

}  // namespace

const char* functions() { return "GaussianBlur,filter2D,sepFilter2D"; }
std::string version() { return CV_VERSION; }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    return std::make_unique<OpenCv>(function, job);
}

}  // namespace peer
