border.o: common/convolution/border.cpp common/convolution/border.hpp \
 common/base/device_code.hpp common/base/error.hpp
common/convolution/border.hpp:
common/base/device_code.hpp:
common/base/error.hpp:
