// What is not looked at first, in one file of its own: a comparison, errors in groups, a scenario, a variant, a revision,
// and dialogs.
export { ComparisonPage } from './comparison/page.tsx'
export { ErrorGroups } from './evaluation/error-groups.tsx'
export { DeleteDialog, RenameDialog } from './evaluation/evaluation-dialogs.tsx'
export { RevisionPage } from './revision/page.tsx'
export { ScenarioPage } from './scenario/page.tsx'
export { ScenarioPanel } from './scenario/panel.tsx'
export { ShareDialog } from './share/dialog.tsx'
export { Elsewhere } from './share/elsewhere.tsx'
export { KeyMap } from './shell/key-map.tsx'
export { VariantPage } from './variant/page.tsx'
export { VariantsPage } from './variants/page.tsx'
