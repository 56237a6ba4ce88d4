// The pages that come in one file of their own, behind that of an evaluation: together few enough to be read ahead, so
// that they open while the server is away too.
export { EvaluationsPage } from './evaluations/page.tsx'
export { RevisionPage } from './revision/page.tsx'
export { VariantPage } from './variant/page.tsx'
export { VariantsPage } from './variants/page.tsx'
