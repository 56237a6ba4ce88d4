// The API call behind what is on screen, to copy.
import { type Call, LANGUAGES, type Language, snippet } from '../format/snippets.ts'
import { copyText } from './copy-button.tsx'
import { Menu } from './menu.tsx'

function copyAs(language: Language, call: Call): Promise<void> {
  return copyText(
    snippet(language, call, location.origin),
    `Copied as ${LANGUAGES[language]}. It takes the key from the variable ASSAY_KEY.`,
  )
}

export function CopyAs({ call }: { call: Call }) {
  return (
    <Menu label="Copy as" title="Copy the API call behind this view (.)">
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
