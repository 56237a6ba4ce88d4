// Configurations hold keys and passwords now and then. They are not stored.
import { pointerStep } from '../json/problem.ts'
import { Json } from '../json/value.ts'

const MASK = '***'

/** Names without anything but letters and digits, in lower case. What only counts tokens is none of them. */
const SECRET =
  /(?:(?:api|secret|private|access|auth|signing|account|subscription)keys?|accesskeyids?|secretids?|secrets?|passwords?|passwd|pwd|passphrases?|authorization|credentials?|(?:access|auth|bearer|refresh|session|id|api|hf|github|personalaccess)tokens?|jwt|cookies?)$|^(?:token|bearer|pass)$/
/** Whether it is worth looking. */
const HINT =
  /key|secret|pass|pwd|auth|credential|token|jwt|cookie|bearer|basic|sk-|hf_|gh[pousr]_|glpat|xox|akia|aiza|eyj|:\/\//i

/** Texts that are a secret as a whole, by how they begin. Prose is left alone, whatever it speaks of. */
const BARE = /^(?:(?:sk-|hf_|gh[pousr]_|glpat-|xox[abprs]-|AKIA|AIza)[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)$/
/** What follows looks like no word. */
const SCHEME = /^(Bearer|Basic)\s+(?=\S*[\d=_.+/-])\S{8,}$/i
/** Lists of settings, and addresses: `token=…` in either, and the password of an address. */
const SETTINGS = /^-{0,2}[\w.-]+=[^,\s]*(?:,\s*[\w.-]+=[^,]*)*$/
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const SETTING = /(^|[,;&?\s])([\w.-]+)=([^,;&\s]+)/g
const USER = /^([^/]+:\/\/[^/@:]*:)[^/@]+@/

/** Longer than any setting. */
const LONGEST_TEXT = 10_000

/** The same with a mask in place of what is secret; `onMasked` is told where that was. */
export function withoutSecrets(json: Json, onMasked: (pointer: string) => void, pointer = ''): Json {
  if (!HINT.test(json.text)) return json
  const at = (step: string) => `${pointer}${pointerStep(step)}`
  const inside = (value: Json, step: string) => withoutSecrets(value, onMasked, at(step))
  if (json.isArray) return Json.array(json.elements.map((element, index) => inside(element, String(index))))
  if (json.isObject) {
    return Json.object(
      Array.from(json.members, ([name, value]) => {
        if (!isSecretName(name) || !mayBeSecret(value)) return [name, inside(value, name)]
        onMasked(at(name))
        return [name, Json.of(MASK)]
      }),
    )
  }
  const { string } = json
  if (string === undefined || string.length > LONGEST_TEXT) return json
  const masked = maskedText(string)
  if (masked === string) return json
  onMasked(pointer)
  return Json.of(masked)
}

function isSecretName(name: string): boolean {
  return name.length < 200 && SECRET.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** Numbers, what is empty, and what only says whether there is one or where it comes from, give nothing away. */
function mayBeSecret({ text, string }: Json): boolean {
  if (string !== undefined) return string !== '' && string !== MASK && !isReference(string)
  return /^[[{]./.test(text) && text !== '[]' && text !== '{}'
}

/** A template or a variable, which is filled in elsewhere. */
function isReference(text: string): boolean {
  return /^(?:\{\{[^{}]*\}\}|\$\{?\w+\}?)$/.test(text)
}

function maskedText(text: string): string {
  if (BARE.test(text)) return MASK
  if (SCHEME.test(text)) return text.replace(SCHEME, `$1 ${MASK}`)
  if (SETTINGS.test(text)) return withoutSettings(text)
  return ADDRESS.test(text) ? withoutSettings(text.replace(USER, `$1${MASK}@`)) : text
}

function withoutSettings(text: string): string {
  return text.replace(SETTING, (all, before: string, name: string, value: string) =>
    isSecretName(name) && !isReference(value) ? `${before}${name}=${MASK}` : all,
  )
}
