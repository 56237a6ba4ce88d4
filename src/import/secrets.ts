// Masks keys and passwords in imported configurations, so that they are not stored.
import { pointerStep } from '../json/problem.ts'
import { Json } from '../json/value.ts'

const MASK = '***'

/** Matched against names in lower case with only letters and digits. Token counts do not match. */
const SECRET_NAME =
  /(?:(?:api|secret|private|access|auth|signing|account|subscription)keys?|accesskeyids?|secretids?|secrets?|passwords?|passwd|pwd|passphrases?|authorization|credentials?|(?:access|auth|bearer|refresh|session|id|api|hf|github|personalaccess)tokens?|jwt|cookies?)$|^(?:token|bearer|pass)$/
/** A quick test: texts without a match contain no secret. */
const POSSIBLE_SECRET =
  /key|secret|pass|pwd|auth|credential|token|jwt|cookie|bearer|basic|sk-|hf_|gh[pousr]_|glpat|xox|akia|aiza|eyj|:\/\//i

/** Texts that are a secret as a whole, recognized by their prefix. Prose never matches. */
const SECRET_TEXT =
  /^(?:(?:sk-|hf_|gh[pousr]_|glpat-|xox[abprs]-|AKIA|AIza)[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)$/
/** The value of an Authorization header. The credentials must not look like a word. */
const AUTH_HEADER = /^(Bearer|Basic)\s+(?=\S*[\d=_.+/-])\S{8,}$/i
/** Lists of settings and URLs: both can contain `token=…`, and a URL a password. */
const SETTING_LIST = /^-{0,2}[\w.-]+=[^,\s]*(?:,\s*[\w.-]+=[^,]*)*$/
const URL_TEXT = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const SETTING = /(^|[,;&?\s])([\w.-]+)=([^,;&\s]+)/g
const URL_PASSWORD = /^([^/]+:\/\/[^/@:]*:)[^/@]+@/

/** Longer texts are not settings. */
const MAX_SETTING_LENGTH = 10_000

/** Returns the value with secrets masked. Calls `onMasked` with the pointer of each. */
export function withoutSecrets(json: Json, onMasked: (pointer: string) => void): Json {
  if (!POSSIBLE_SECRET.test(json.text)) return json
  const maskInside = (value: Json, step: string) =>
    withoutSecrets(value, (pointer) => onMasked(`${pointerStep(step)}${pointer}`))
  if (json.isArray) {
    const elements = json.elements.map((element, index) => maskInside(element, String(index)))
    return elements.some((element, index) => element !== json.elements[index]) ? Json.array(elements) : json
  }
  if (json.isObject) {
    let maskedMembers: Map<string, Json> | undefined
    for (const [name, value] of json.members) {
      const isSecret = isSecretName(name) && canBeSecret(value)
      if (isSecret) onMasked(pointerStep(name))
      const masked = isSecret ? Json.of(MASK) : maskInside(value, name)
      if (masked !== value) {
        maskedMembers ??= new Map(json.members)
        maskedMembers.set(name, masked)
      }
    }
    return maskedMembers ? Json.object(maskedMembers) : json
  }
  const { string } = json
  if (string === undefined || string.length > MAX_SETTING_LENGTH) return json
  const maskedText = maskText(string)
  if (maskedText === string) return json
  onMasked('')
  return Json.of(maskedText)
}

/** The answers for recent names. The rows of a file have the same names. */
const SECRET_NAMES = new Map<string, boolean>()
const MAX_CACHED_NAMES = 1000

function isSecretName(name: string): boolean {
  if (name.length >= 200) return false
  let isSecret = SECRET_NAMES.get(name)
  if (isSecret === undefined) {
    isSecret = SECRET_NAME.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    if (SECRET_NAMES.size === MAX_CACHED_NAMES) SECRET_NAMES.clear()
    // Copies the name, which can be a slice of a whole record.
    SECRET_NAMES.set(Buffer.from(name).toString(), isSecret)
  }
  return isSecret
}

/** Numbers, booleans, empty values and references are not secret. */
function canBeSecret({ text, string }: Json): boolean {
  if (string !== undefined) return string !== '' && string !== MASK && !isReference(string)
  return /^[[{]./.test(text) && text !== '[]' && text !== '{}'
}

/** A template or variable that is replaced elsewhere. */
function isReference(text: string): boolean {
  return /^(?:\{\{[^{}]*\}\}|\$\{?\w+\}?)$/.test(text)
}

function maskText(text: string): string {
  if (SECRET_TEXT.test(text)) return MASK
  if (AUTH_HEADER.test(text)) return text.replace(AUTH_HEADER, `$1 ${MASK}`)
  if (SETTING_LIST.test(text)) return maskSettings(text)
  return URL_TEXT.test(text) ? maskSettings(text.replace(URL_PASSWORD, `$1${MASK}@`)) : text
}

function maskSettings(text: string): string {
  return text.replace(SETTING, (setting, separator: string, name: string, value: string) =>
    isSecretName(name) && !isReference(value) ? `${separator}${name}=${MASK}` : setting,
  )
}
