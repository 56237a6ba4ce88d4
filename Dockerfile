# Builds Assay from this checkout and runs it as a user without rights. See docs/how-to/deploy.md.
FROM node:24-slim AS build
WORKDIR /build
# First only what npm needs, so that Docker can reuse this step if only sources changed.
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY web/package.json web/
RUN npm ci
COPY . .
RUN npm run package
RUN npm install --global --prefix /opt/assay --omit=dev ./dist/assay-[0-9]*.tgz
RUN mkdir /data

FROM node:24-slim
COPY --from=build /opt/assay/ /usr/local/
# An empty folder that belongs to the user. A new volume gets its owner.
COPY --from=build --chown=node:node /data /data
ENV NODE_ENV=production ASSAY_DATA=/data ASSAY_HOST=0.0.0.0 ASSAY_PORT=8080
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ASSAY_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["assay"]
CMD ["serve"]
