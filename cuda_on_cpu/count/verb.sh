# SPDX-License-Identifier: MIT
# cuda-on-cpu count [--csv FILE] [--picture FILE] [nvcc options] FILE... [-- ARGUMENT...]: the part of ../cuda-on-cpu that reads
# the verb's own options; it leaves the others as the script's.
verb=count libraries=("$build/libcuda_on_cpu_count.a" "${libraries[@]}")
shift
options=()
while (($# > 0)) && [[ $1 != -- ]]; do
    case $1 in
        --csv|--picture)
            (($# > 1)) && [[ -n $2 ]] || usage_error "option $1 needs the name of a file"
            [[ $1 == --csv || $2 == *.html || $2 == *.svg ]] ||
                usage_error "option --picture needs a name that ends with .html or .svg, not '$2'"
            name=${1#--}
            export "CUDA_ON_CPU_COUNT_${name^^}=$2"
            shift ;;
        *) options+=("$1") ;;
    esac
    shift
done
arguments=("${@:2}")
set -- "${options[@]}"

! "$here/is_clang" ${CXX:-g++} || usage_error "count needs g++: clang++ does not tell where structs are copied"
