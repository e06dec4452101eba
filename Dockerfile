# The shop as an image: `docker build -t haat .`, or with PostgreSQL by compose.yaml.
# How it is run: docs/operations.md, section Container.

# The build needs npm. The shop does not: its Node is one of its packages, on Linux (x64), elsewhere the builder's.
ARG BUILDER=node:24.22.3-bookworm-slim
# Any system with glibc and libstdc++.
ARG BASE=debian:bookworm-slim

FROM ${BUILDER} AS build
WORKDIR /srv/haat
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Node's C headers and manual are for compilers and people
RUN npm run build \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share \
 && { test -e node_modules/.bin/node || cp "$(command -v node)" node_modules/.bin/node; } \
 && mv node_modules /srv/packages

FROM ${BASE}
WORKDIR /srv/haat
COPY --from=build /srv/packages node_modules
COPY --from=build /srv/haat .

# MALLOC_ARENA_MAX and NODE_COMPILE_CACHE: as bin/start.ts sets them for itself, also for its workers and commands
ENV PATH=/srv/haat/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    NODE_COMPILE_CACHE=/srv/haat/node_modules/.cache/compiled \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data

# Everything but DATA_DIR belongs to root. A number, so that Kubernetes sees that the user is not root.
RUN install --directory --owner=1000 --group=1000 --mode=700 /data node_modules/.cache
USER 1000:1000

# The shop starts once, so that its compiled modules are in the image, whose root may be read-only. An image
# whose shop does not start is not built.
RUN export HOST=127.0.0.1 PORT=61999 DATA_DIR=/tmp/first DEMO=off; set -e; \
    node bin/start.ts & shop=$!; \
    until node -e 'fetch("http://127.0.0.1:61999").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'; \
    do kill -0 $shop; sleep 1; done; \
    kill $shop; wait $shop; rm -r /tmp/first

VOLUME /data
EXPOSE 3000
# whether the process is alive: a database that is away is no reason to restart the shop
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM stops the shop within ten seconds, also as process 1
CMD ["node", "bin/start.ts"]
