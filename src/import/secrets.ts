// Configurations hold keys and passwords now and then. They are not stored.
import { Json } from '../json/value.ts'

const MASK = '***'

/** Names without anything but letters and digits, in lower case. What only counts tokens is none of them. */
const SECRET =
  /(apikey|secret|secretkey|password|passwd|passphrase|authorization|credentials?|privatekey|accesskey|accesskeyid|accesstoken|authtoken|bearertoken|refreshtoken|sessiontoken|idtoken|apitoken|hftoken|cookie)$|^token$/
/** Whether it is worth looking. */
const HINT = /key|secret|pass|auth|credential|token|cookie|bearer|basic|sk-|hf_|:\/\//i

/** Texts that are a secret as a whole, by how they begin. Prose is left alone, whatever it speaks of. */
const BARE = /^(?:sk-|hf_|gh[pousr]_|xox[abprs]-|AKIA)[\w-]{8,}$/
const SCHEME = /^(Bearer|Basic)\s+\S+$/i
/** `token=…` in lists of settings and in addresses, and the password of an address. */
const SETTINGS = /^[\w.-]+=[^,\s]*(?:,\s*[\w.-]+=[^,]*)*$/
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const SET = /((?:^|[^a-z])(?:[\w-]*(?:api_?key|secret|password|access_?token|auth_?token)|token)=)[^,;&\s]+/gi
const USER = /^([^/]+:\/\/[^/@:]*:)[^/@]+@/

/** The same with a mask in place of what is secret; `onMasked` is told where that was. */
export function withoutSecrets(json: Json, onMasked: (pointer: string) => void, pointer = ''): Json {
  if (!HINT.test(json.text)) return json
  const at = (step: string) => `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const inside = (value: Json, step: string) => withoutSecrets(value, onMasked, at(step))
  if (json.isArray) return Json.array(json.elements.map((element, index) => inside(element, String(index))))
  if (json.isObject) {
    return Json.object(
      Array.from(json.members, ([name, value]) => {
        if (!isSecret(name, value)) return [name, inside(value, name)]
        onMasked(at(name))
        return [name, Json.of(MASK)]
      }),
    )
  }
  const { string } = json
  const masked = string === undefined ? undefined : maskedText(string)
  if (masked === string || masked === undefined) return json
  onMasked(pointer)
  return Json.of(masked)
}

/** What is empty, or only says whether there is one, gives nothing away. */
function isSecret(name: string, { text, isNull, boolean }: Json): boolean {
  if (isNull || boolean !== undefined || ['""', '[]', '{}', '"***"'].includes(text)) return false
  return SECRET.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

function maskedText(text: string): string {
  if (BARE.test(text)) return MASK
  if (SCHEME.test(text)) return text.replace(SCHEME, `$1 ${MASK}`)
  if (SETTINGS.test(text)) return text.replace(SET, `$1${MASK}`)
  if (ADDRESS.test(text)) return text.replace(USER, `$1${MASK}@`).replace(SET, `$1${MASK}`)
  return text
}
