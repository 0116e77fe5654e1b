# SPDX-License-Identifier: MIT
# The compiler's messages about the program: no notes about the emulator's headers (`here`) or the library's, nor errors in them
# that follow from one of the program. Without `rdc`, what nvcc would say of a function or variable of another file. What CUDA no
# longer has, or the emulator not at all, by its name; where a header is missing, nothing that follows from that. What a header of
# the emulator asserts is one line, at the program's place. What is a mistake goes to the file `findings`, if there is one, as a
# record (finding/finding.hpp): `check` shows it.
function is_unknown(names) {
    return $0 ~ "error: (.* (identifier|name|named) )?.(" names ").( was not| does not|;|$)"
}
# A number is printed as a real one, a pointer as a number, or there are too few values. The width of an integer is no mistake here.
function is_wrong_format() {
    return /: warning: .*\[-Wformat/ && /double|float|\*'|expects a matching|more '%' conversions/
}
# What may be unset is so only if the program takes a way that g++ cannot rule out: a note.
# Where the variable was given to a function of a header, the place is that of its declaration. A pointer to a local variable that is
# gone is one finding: its variable is not unset, too.
function has_finding(inside,    place, what, kind, name) {
    if (inside && /: warning: .*uninitialized/) in_header = $0
    place = what = $0
    if (in_header != "" && / declared here$/) what = in_header
    else if (inside || !(is_wrong_format() || /: warning: .*(uninitialized|left operand of comma operator has no effect|using (a )?dangling pointer|local variable .* returned|storing the address of local variable)/))
        return 0
    if (!inside) in_header = ""
    sub(/:[0-9]+: (warning|note): .*/, "", place)
    sub(/.*: warning: /, "", what)
    sub(/ \[-W.*/, "", what)
    if (is_wrong_format() && is_told[place]++) return 1
    kind = what ~ /uninitialized/ ? "uninitialized" : is_wrong_format() ? "format" : what ~ /comma/ ? "comma" : "dangling"
    name = what
    sub(/.* to '/, "'", name)
    gsub(/^[^']*'|[['].*/, "", name)
    if (kind !~ /comma|format/ && name in gone) return 1
    if (kind == "dangling") gone[name] = 1
    print (what ~ / may be / ? "note" : "mistake") "\t" kind \
        "\tthe compiler says of " place ": " what ".\t" place >> findings
    return 1
}
function show() { if (keep && !(text in shown)) all = all text; shown[text] = 1; text = ""; keep = 1 }
/^(In file included from| +from) / || /: (In|At) / || /:   (required|recursively required) / {
    if (!context) show(); context = 1; is_assertion = 0
}
/:   required from here$/ { place = $0; sub(/:   required from here$/, "", place) }
/^[^ ].*:[0-9]+: (fatal error|error|warning|note): / {
    if (!context) show(); context = 0
    inside = index($0, here) == 1 || /^\/usr\//
    is_assertion = inside && place != "" && /error: static assertion failed: /
    if (is_assertion) { text = ""; sub(/.*: static assertion failed/, place ": error") }
    keep = !inside || (/error: / && !failed)
    if (/error: / && !inside) failed = 1
    is_finding = (is_finding && / (was )?declared here$/) || (findings != "" && has_finding(inside))
    if (is_finding || (/: warning: .*\[-Wformat/ && !is_wrong_format())) keep = 0
}
/warning: .* declared .static. but never defined/ { keep = 0 }  # translate/ has made it static
/was declared .extern. and later .static.|static declaration of .* follows non-static/ { apart = 1 }
/used but never defined|has internal linkage but is not defined/ { apart = 1 }
is_unknown("__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)") {
    none["CUDA has no warp functions without a mask any more: use __shfl_down_sync(0xffffffff, ...) and the like"]
}
is_unknown("texture") { none["CUDA has no texture references any more: use cudaTextureObject_t"] }
is_unknown("cublas[A-Z][A-Za-z0-9_]*") {
    match($0, /cublas[A-Z][A-Za-z0-9_]*/)
    none["CUDA on the CPU does not have " substr($0, RSTART, RLENGTH) ": of cuBLAS, it has gemm alone"]
}
is_unknown("CU(result|device|context|module|function)|cu(Init|(Device|Ctx|Module|Mem|Launch)[A-Za-z0-9_]+)") {
    none["CUDA on the CPU does not have the driver API: compile with nvcc"]
}
/: (fatal )?error: (#error )?"CUDA on the CPU does not have / { missing = missing $0 "\n" }
!is_assertion || /^[^ ].*: error: / { text = text $0 "\n" }
END {
    show()
    printf "%s", missing == "" ? all : missing
    if (missing != "") exit
    for (what in none) print "cuda-on-cpu: " what
    if (apart && !rdc) print "cuda-on-cpu: a __device__ or __constant__ name of another file needs -rdc=true, as with nvcc"
}
