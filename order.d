order.o: common/cuda_on_cpu/order.cpp common/cuda_on_cpu/order.hpp
common/cuda_on_cpu/order.hpp:
