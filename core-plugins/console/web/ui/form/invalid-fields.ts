/** A field that shows what it is refused for. */
interface InvalidField {
  readonly name: string
  readonly fault: string
  readonly focus: () => void
}

/** The fields around an element that are refused, in the order in which they stand. */
export function invalidFieldsAround(element: Element): readonly InvalidField[] {
  const form = element.closest('form, dialog, section, main') ?? document.body
  const fields = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]
  return fields.map((field) => ({
    name: nameOf(field),
    fault: faultOf(field),
    focus: () => field.focus(),
  }))
}

function nameOf(field: HTMLElement): string {
  const label = 'labels' in field ? (field.labels as NodeListOf<HTMLElement> | null)?.[0] : undefined
  const text = field.getAttribute('aria-label') ?? label?.textContent ?? field.id
  return text.replace(/\s*\*\s*$/, '').trim()
}

function faultOf(field: HTMLElement): string {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const fault = ids.find((id) => id.endsWith('-error'))
  return (fault && document.getElementById(fault)?.textContent) ?? ''
}
