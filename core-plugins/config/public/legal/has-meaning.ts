const nothing = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const picture = /<img\s(?:[^>]*\s)?src\s*=\s*(?:"\s*[^"\s]|'\s*[^'\s]|[^\s"'>])/i
const tag = /<[^>]*>/g
const entity = /&(?:#\d+|#x[0-9a-f]+|\w+);/gi
// Whatever no font draws; the last one is drawn as a blank.
const visible = /[^\s\p{Cf}\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text in HTML shows anything: a picture, or a visible character beside tags and entities. */
export function hasMeaning(html: string): boolean {
  const text = html.replace(nothing, '')
  return picture.test(text) || visible.test(text.replace(tag, '').replace(entity, ''))
}
