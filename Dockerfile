# A system in which everything but GPU code runs, also on Windows and macOS:
#   docker build -t convolab . && docker run -it --rm -v "$PWD":/convolab convolab
# It has what tools/setup.sh installs, and git.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
WORKDIR /setup
COPY tools/setup.sh tools/find_python.sh tools/
RUN tools/setup.sh ffmpeg mpi tests && rm -rf /var/lib/apt/lists/*
RUN git config --system --add safe.directory /convolab
WORKDIR /convolab
CMD ["bash"]
