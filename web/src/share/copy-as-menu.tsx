// Copies the API request of the view as curl, Python or TypeScript.
import { type ApiCall, LANGUAGES, type Language, snippet } from '../format/api-snippets.ts'
import { copyText } from '../ui/copy-button.tsx'
import { Menu } from '../ui/menu.tsx'

function copyAs(language: Language, call: ApiCall): Promise<void> {
  return copyText(
    snippet(language, call, location.origin),
    `Copied as ${LANGUAGES[language]}. Set ASSAY_KEY to your key.`,
  )
}

export function CopyAsMenu({ call }: { call: ApiCall }) {
  return (
    <Menu label="Copy as" title="Copy the API request of this view (.)">
      <div className="options">
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <button
            key={language}
            type="button"
            className="plain"
            onClick={() => copyAs(language as Language, call)}
          >
            {name}
          </button>
        ))}
      </div>
    </Menu>
  )
}
