// The path of the page, if the service is below a path of its host (--public-url).

/** Such as /assay, or empty. The service writes it into index.html. Tests load modules in Node, without a document. */
export const BASE_PATH =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset.base ?? '').replace(/\/$/, '')

/** The URL of the service, for commands that users copy. */
export const SERVICE_URL = location.origin + BASE_PATH
