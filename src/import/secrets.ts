// Configurations hold keys and passwords now and then. They are not stored.
import { Json } from '../json/value.ts'

const MASK = Json.of('***')

/** Names without anything but letters and digits, in lower case. What only counts tokens is none of them. */
const SECRET =
  /(apikey|secret|secretkey|password|passwd|passphrase|authorization|credential|credentials|privatekey|accesskey|accesskeyid|accesstoken|authtoken|bearertoken|refreshtoken|sessiontoken|idtoken|apitoken|hftoken|cookie)$|^token$/
/** Whether it is worth looking. */
const HINT = /key|secret|pass|auth|credential|token|cookie|bearer|sk-/i
/** Inside texts: `token=…` in lists of settings, and what names its scheme. */
const IN_TEXT = /\b((?:[\w-]*(?:api_?key|secret|password|access_?token|auth_?token)|token)=)[^,;&\s"']+/gi
const SCHEME = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** The same with a mask in place of what is secret; `onMasked` is told where that was. */
export function withoutSecrets(json: Json, onMasked: (pointer: string) => void, pointer = ''): Json {
  if (!HINT.test(json.text)) return json
  const at = (step: string) => `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (json.isArray)
    return Json.array(
      json.elements.map((element, index) => withoutSecrets(element, onMasked, at(String(index)))),
    )
  if (json.isObject)
    return Json.object(Array.from(json.members, ([name, value]) => [name, member(name, value)]))
  return inText(json)

  function member(name: string, value: Json): Json {
    const isSecret = SECRET.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    if (!isSecret || value.string === undefined || value.string === '')
      return withoutSecrets(value, onMasked, at(name))
    onMasked(at(name))
    return MASK
  }

  function inText(value: Json): Json {
    const { string } = value
    if (string === undefined) return value
    const masked = string.replace(IN_TEXT, '$1***').replace(SCHEME, '$1 ***')
    if (masked === string) return value
    onMasked(pointer)
    return Json.of(masked)
  }
}
