# One image for all processes: `serve` (pages, API), `work` (read models, snapshots), `live` (streams).
FROM python:3.11-slim
WORKDIR /app
RUN useradd --system --create-home kifu && mkdir /data && chown kifu /data
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY schemas schemas
COPY projections projections
COPY service service
COPY seeds seeds
RUN pip install --no-cache-dir -c constraints.txt '.[postgres,live]'
ENV KIFU_SEEDS=/app/seeds KIFU_DATABASE_URL=sqlite:////data/kifu.sqlite KIFU_HOST=0.0.0.0
ENV KIFU_LIVE_HOST=0.0.0.0
USER kifu
VOLUME /data
EXPOSE 8000 8001
ENTRYPOINT ["kifu"]
CMD ["serve"]
