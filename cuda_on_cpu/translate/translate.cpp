// SPDX-License-Identifier: MIT
#include "translate.hpp"

#include <algorithm>
#include <vector>

#include "parts.hpp"
#include "source.hpp"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t none = Source::none;

// Whether i is the bracket of `(kernel)` in `if (...) (kernel)<<<...>>>(...)`.
bool follows_condition(const Source& source, std::size_t i) {
    const std::size_t condition = source.is(i - 1, ")") ? source.opening(i - 1) : none;
    return condition != none && source.is_word(condition - 1) && !source.is_name(condition - 1);
}

// Where the expression that ends before `end` begins, or none: a name with its namespaces, template
// arguments, objects, indices and calls, or parentheses.
std::size_t kernel_begin(const Source& source, std::size_t end) {
    for (std::size_t i = end - 1;;) {
        if (source.is(i, ")") || source.is(i, "]")) {  // behind a name, or alone
            const bool index = source.is(i, "]");
            i = source.opening(i);
            if (i == none) return none;
            const bool applied = source.is_name(i - 1) || source.is(i - 1, ">") ||
                                 source.is(i - 1, "]") ||
                                 (source.is(i - 1, ")") && !follows_condition(source, i));
            if (!applied) return index ? none : i;
            --i;
            continue;
        }
        if (source.is(i, ">")) {
            i = source.opening_angle(i);
            if (i == none) return none;
            --i;
        }
        if (!source.is_name(i)) return none;
        if (source.is(i - 1, "template")) --i;
        if (source.is(i - 1, "::") && !source.is_name(i - 2) && !source.is(i - 2, ">"))
            return i - 1;
        if (!source.is(i - 1, "::") && !source.is(i - 1, ".") && !source.is(i - 1, "->")) return i;
        i -= 2;
    }
}

// `<<<`, or what some editors make of it: `<< <`.
bool opens_launch(const Source& source, std::size_t i) {
    return source.is(i, "<<<") || (source.is(i, "<<") && source.is(i + 1, "<"));
}

// The last three of a row of `>`, such as `>> >`: the others belong to template arguments.
bool closes_launch(const Source& source, std::size_t i) {
    return source.is(i, ">") && source.is(i + 1, ">") && source.is(i + 2, ">") &&
           !source.is(i + 3, ">");
}

// kernel<<<configuration>>>(arguments), at the `<<<`
void translate_launch(Source& source, std::size_t at) {
    const std::size_t begin = kernel_begin(source, at);
    if (begin == none)
        source.reject(at, "expected the name of a kernel before '<<<'; put parentheses around it.");
    std::size_t end = at + 1;
    for (int depth = 0; depth != 0 || !closes_launch(source, end); ++end) {
        depth += source.opens(end) - source.closes(end);
        if (end >= source.size() || depth < 0 || (depth == 0 && source.is(end, ";")))
            source.reject(at, "this '<<<' has no '>>>'.");
    }
    if (source.is(end + 3, ";"))  // in a macro they may stand elsewhere
        source.reject(end, "expected the kernel's arguments, '(...)', behind '>>>'.");
    if (!source.is(at, "<<<")) source.replace(at++, "");  // `<< <`
    source.insert_before(begin, "CUDA_ON_CPU_LAUNCH(");
    source.replace(at, ")(");
    source.replace(end, ")");
    source.replace(end + 1, "");
    source.replace(end + 2, "");
}

// `extern` before or behind the `__shared__` at i, or none.
std::size_t extern_of(const Source& source, std::size_t at) {
    for (std::size_t i = at; i < source.size(); --i) {
        if (source.is(i, "extern")) return i;
        if (source.is(i, ")")) i = source.opening(i);
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "}")) break;
    }
    for (std::size_t i = at; i < source.size() && !source.is(i, ";"); ++i)
        if (source.is(i, "extern")) return i;
    return none;
}

// extern __shared__ TYPE NAME[]; with more dimensions or more names if there are, at __shared__
void translate_shared(Source& source, std::size_t at) {
    const std::size_t external = extern_of(source, at);
    if (external == none) return;
    source.replace(external, "");
    source.replace(at, "__attribute__((unused))");
    const std::string dynamic = "::cuda_on_cpu::dynamic_array";
    std::string array = dynamic;
    bool complete = false;
    for (std::size_t i = at + 1; i < source.size(); ++i) {
        if (source.is(i, "(") || source.is(i, "<")) {  // of the type: alignas(16), array<T, 4>
            for (int depth = 1; depth > 0 && ++i < source.size();)
                depth += (source.is(i, "(") || source.is(i, "<")) -
                         (source.is(i, ")") || source.is(i, ">"));
        } else if (source.is(i, "[") && source.is(i + 1, "]") && source.is_name(i - 1)) {
            complete = true;
            const std::string other = same_dynamic_array(source, i - 1);
            if (!other.empty())
                array = "(::cuda_on_cpu::tell_same_array(\"" + other + "\", \"" +
                        source.text_of(i - 1) + "\", __FILE__, __LINE__), " + array + ")";
            const std::string name = "* const " + source.text_of(i - 1);
            source.replace(i - 1, source.is(i + 2, "[") ? "(" + name + ")" : name);
            source.replace(i, "");
            source.replace(i + 1, "");
        } else if (source.is(i, ",") || source.is(i, ";")) {
            if (!complete) break;
            source.insert_before(i, " = " + array);
            array = dynamic;
            if (source.is(i, ";")) return;
            complete = false;
        }
    }
    source.reject(at, "expected 'extern __shared__ TYPE NAME[];'.");
}

// namespace name {, namespace {, extern "C" {
bool opens_namespace(const Source& source, std::size_t i) {
    while (source.is_word(i - 1) || source.is(i - 1, "::"))
        if (source.is(--i, "namespace")) return true;
    return source.is(i - 2, "extern");
}

// The comma or bracket behind the argument at i.
std::size_t argument_end(const Source& source, std::size_t i) {
    for (int angles = 0; i < source.size() && !source.closes(i); ++i) {
        angles += source.is(i, "<") - source.is(i, ">");
        if (source.is(i, ",") && angles == 0) break;
        if (source.opens(i)) i = source.closing(i);
    }
    return i;
}

// cudaLaunchKernel((void*)blur, ...): without the cast the kernel's parameters are known. Messages
// name the kernel as it is written here.
void translate_launch_function(Source& source, std::size_t name) {
    if (!source.is(name + 1, "(")) return;
    std::size_t at = name + 2;
    if (source.is(name, "cudaLaunchKernelEx")) at = argument_end(source, at) + 1;
    const std::size_t end = argument_end(source, at);
    const bool named = source.is(at, "reinterpret_cast");
    std::size_t kernel = at, cast = named ? at + 1 : at;
    if (source.is(cast, named ? "<" : "(")) {
        cast += source.is(cast + 1, "const") ? 2 : 1;
        if (source.is(cast, "void") && source.is(cast + 1, "*") &&
            source.is(cast + 2, named ? ">" : ")"))
            kernel = cast + 3;
    }
    if (kernel >= end || end >= source.size()) return;
    std::string text;
    const bool has_brackets = source.is(kernel, "(") && source.closing(kernel) == end - 1;
    for (std::size_t i = kernel + has_brackets; i < end - has_brackets; ++i)
        text += source.text_of(i) + (source.is(i, ",") ? " " : "");
    if (text.find_first_of("\"\\'") == std::string::npos)
        source.insert_before(name + 2, "CUDA_ON_CPU_PLACE(\"" + text + "\"), ");
    for (std::size_t i = at; i < kernel; ++i) source.replace(i, "");
}

}  // namespace

std::string translate(const std::string& text, const std::string& file, Headers* headers) {
    Source source(text, file);
    if (headers != nullptr && headers->is_c) {
        for (std::size_t i = 0; i < source.size(); ++i)
            if (source.is(i, "#") && source.is(i + 1, "include"))
                translate_include(source, i, headers);
        return source.edited();
    }
    std::vector<bool> braces;  // that are open here, and whether each is that of a namespace
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source.is(i, "{")) braces.push_back(opens_namespace(source, i));
        if (source.is(i, "}") && !braces.empty()) braces.pop_back();
        const bool outside = std::find(braces.begin(), braces.end(), false) == braces.end();
        if (outside && source.is(i, "__CUDA_ARCH__")) translate_arch_outside(source, i);
        const bool one_file = headers != nullptr && !headers->one_name;
        if (outside) name_variables(source, i, one_file);
        if (outside && one_file) make_static(source, i);
        if (source.is(i, "#") && source.is(i + 1, "include")) translate_include(source, i, headers);
        if (opens_launch(source, i)) translate_launch(source, i);
        if (source.is(i, "__shared__")) translate_shared(source, i);
        if (source.is(i, "__global__") || source.is(i, "__device__"))
            translate_device_code(source, i);
        if (source.is(i, "cudaLaunchKernel") || source.is(i, "cudaLaunchCooperativeKernel") ||
            source.is(i, "cudaLaunchKernelEx"))
            translate_launch_function(source, i);
        // The compiler's own headers use the word in another way, so it can be no macro.
        if (source.is(i, "__noinline__") && !source.is(i - 1, "(") && !source.is(i - 1, ","))
            source.replace(i, "__attribute__((noinline))");
        check_element(source, i);
        mark_unchecked(source, i);
    }
    return source.edited();
}

}  // namespace cuda_on_cpu
