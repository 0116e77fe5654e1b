# A system in which the labs and exercises run, except on a GPU, also on Windows and macOS:
#   docker build -t convolab . && docker run -it --rm -v "$PWD":/convolab convolab
# It has what labs and exercises need, and git. For `make test`, add --build-arg ALSO=tests to the build; on Linux,
# --user "$(id -u):$(id -g)" to the run, so that what it writes is yours.
FROM debian:12-slim
# Matplotlib's packages ask for the last two here or for SciPy and Python's headers, which take 350 MB more.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git python3-munkres python3-unicodedata2 && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /setup
COPY tools/setup.sh tools/find_python.sh tools/
# What comes with them and nothing here uses: drivers for OpenGL, a Fortran compiler, tests of Python's modules.
RUN tools/setup.sh ffmpeg mpi && cd /usr && rm -rf /var/lib/apt/lists/* lib/*/libLLVM-15* lib/*/dri share/unicode \
    lib/gcc/*/*/f951 bin/*-lto-dump-* lib/python3/dist-packages/sympy lib/python3/dist-packages/*/tests
ARG ALSO
RUN [ -z "$ALSO" ] || { tools/setup.sh $ALSO && rm -rf /var/lib/apt/lists/*; }
RUN git config --system --add safe.directory '*'
# Also a user whom the container does not know can write there.
ENV HOME=/tmp
WORKDIR /convolab
CMD ["bash"]
