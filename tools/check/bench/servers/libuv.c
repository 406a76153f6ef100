/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/servers/libuv.c - what idled does, on libuv: see libevent.c
 *
 * A stream and a timer for each connection, which is started again with each
 * read. A buffer is shared, as in idled: what comes is not kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

struct conn {
	uv_tcp_t stream;
	uv_timer_t timer;
	int handles;
};

static uint64_t idle_ms;

static void on_close(uv_handle_t *handle)
{
	struct conn *conn = handle->data;

	if (!--conn->handles)
		free(conn);
}

static void end(struct conn *conn)
{
	if (uv_is_closing((uv_handle_t *)&conn->stream))
		return;
	uv_close((uv_handle_t *)&conn->stream, on_close);
	uv_close((uv_handle_t *)&conn->timer, on_close);
}

static void on_timer(uv_timer_t *timer)
{
	end(timer->data);
}

static void give(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
	static char ignored[16384];

	*buffer = uv_buf_init(ignored, sizeof(ignored));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
	struct conn *conn = stream->data;

	if (n < 0)
		end(conn);
	else if (n > 0)
		uv_timer_start(&conn->timer, on_timer, idle_ms, 0);
}

static void on_connection(uv_stream_t *listener, int status)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (status || !conn)
		return;
	conn->handles = 2;
	conn->stream.data = conn->timer.data = conn;
	uv_tcp_init(listener->loop, &conn->stream);
	uv_timer_init(listener->loop, &conn->timer);
	if (uv_accept(listener, (uv_stream_t *)&conn->stream) ||
	    uv_read_start((uv_stream_t *)&conn->stream, give, on_read))
		end(conn);
	else
		uv_timer_start(&conn->timer, on_timer, idle_ms, 0);
}

int main(int argc, char **argv)
{
	struct sockaddr_storage at;
	uv_tcp_t listener;
	int size = sizeof(at);

	idle_ms = argc > 1 ? 1000 * strtoull(argv[1], NULL, 10) : 30000;
	uv_tcp_init(uv_default_loop(), &listener);
	uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&at);
	if (uv_tcp_bind(&listener, (struct sockaddr *)&at, 0) ||
	    uv_listen((uv_stream_t *)&listener, 4096, on_connection))
		return 1;
	uv_tcp_getsockname(&listener, (struct sockaddr *)&at, &size);
	printf("listen 127.0.0.1 %d\n",
	       ntohs(((struct sockaddr_in *)&at)->sin_port));
	fflush(stdout);
	return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
