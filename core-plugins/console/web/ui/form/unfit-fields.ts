import { onScopeDispose, onUpdated, reactive, watchEffect } from 'vue'
import { Problem } from '../../session/problem.ts'
import { say } from '../../tab/i18n.ts'

/** A form that was not sent: something in it has to be filled in first. Each of its fields says so itself. */
export class FieldsEmpty extends Problem {
  constructor(ids: readonly string[]) {
    const message = say('shell.required')
    super(422, {
      ...{ code: 4220, message: say('shell.fieldsEmpty'), reason: 'fields_empty' },
      errors: ids.map((field) => ({ field, rule: 'required', message })),
    })
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const wanted = new Set<string>()
const unfit = reactive(new Map<string, string>())
let refused: FieldsEmpty | undefined

/** Of a field: what is wrong with what stands in it, once it was left, or left empty in a form that somebody wanted to send. */
export function useUnfit(id: string, isRequired: () => boolean): () => string | undefined {
  watchEffect(() => (isRequired() ? wanted.add(id) : wanted.delete(id)))
  // What is filled in by the page itself tells nobody else.
  onUpdated(() => {
    const control = document.getElementById(id)
    if (unfit.has(id) && isControl(control) && !isMissing(control)) judge(control)
  })
  onScopeDispose(() => {
    wanted.delete(id)
    unfit.delete(id)
  })
  return () => unfit.get(id)
}

/** Looks at every form that is about to be sent, before whoever sends it does, until the page goes. */
export function watchForms(): void {
  const isSaved = ({ ctrlKey, key }: KeyboardEvent) => ctrlKey && key === 's'
  document.addEventListener('submit', (event) => look(event.target as HTMLFormElement), true)
  document.addEventListener('keydown', (event) => isSaved(event) && look(formOf(event.target)), true)
  for (const kind of ['submit', 'keydown']) addEventListener(kind, () => (refused = undefined))
  document.addEventListener('input', ({ target }) => target instanceof Element && unfit.delete(target.id), true)
  document.addEventListener('change', ({ target }) => isControl(target) && judge(target), true)
}

/** Why the form that is being sent must not be; asked while its event is on its way. */
export function takeRefusal(): FieldsEmpty | undefined {
  const found = refused
  refused = undefined
  return found
}

/** Those of a form that sends what was changed and nothing else are looked at by whoever knows what was. */
function look(form: HTMLFormElement | null): void {
  if (!form || form.dataset['changesOnly'] !== undefined) return
  const controls = [...form.elements].filter(isControl)
  const missing = controls.filter(isMissing).map(({ id }) => id)
  // Others were filled in since, be it not by hand.
  controls.forEach(judge)
  for (const id of missing) unfit.set(id, say('shell.required'))
  refused = missing.length > 0 ? new FieldsEmpty(missing) : undefined
}

function isMissing(control: Control): boolean {
  return wanted.has(control.id) && !isFixed(control) && control.value.trim() === ''
}

/** Says of a field whether it is out of its bounds; the server says it too, and has the last word. */
function judge(control: Control): void {
  const fault = isFixed(control) ? undefined : outOfBounds(control)
  if (fault === undefined) unfit.delete(control.id)
  else unfit.set(control.id, fault)
}

/**
 * What is wrong with what stands in a field, as far as that is known without the server, in its words. Patterns are left
 * to it: those of plugins may take for ever, and it has a time limit for them.
 */
function outOfBounds(control: Control): string | undefined {
  const { validity, dataset } = control
  if (validity.badInput) return say('shell.bounds.number')
  if (control instanceof HTMLInputElement && control.type === 'number') {
    if (validity.rangeUnderflow) return say('shell.bounds.min', { min: control.min })
    return validity.rangeOverflow ? say('shell.bounds.max', { max: control.max }) : undefined
  }
  // As the server counts: code points.
  const length = [...control.value].length
  const [min, max] = [Number(dataset['minLength'] ?? 0), Number(dataset['maxLength'] ?? Infinity)]
  if (length > 0 && length < min) return say('shell.bounds.minLength', { min })
  return length > max ? say('shell.bounds.maxLength', { max }) : undefined
}

function isFixed(control: Control): boolean {
  return control.disabled || ('readOnly' in control && control.readOnly)
}

function isControl(target: EventTarget | null): target is Control {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  )
}

function formOf(target: EventTarget | null): HTMLFormElement | null {
  return target instanceof Element ? target.closest('form') : null
}
