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
const empty = reactive(new Set<string>())
let refused: FieldsEmpty | undefined

/** Of a field that may have to be filled in: whether it was left empty in a form that somebody wanted to send. */
export function useEmptiness(id: string, isRequired: () => boolean): () => boolean {
  watchEffect(() => (isRequired() ? wanted.add(id) : wanted.delete(id)))
  // What is filled in by the page itself tells nobody else.
  onUpdated(() => {
    if (empty.has(id) && !isMissing(document.getElementById(id) as Control)) empty.delete(id)
  })
  onScopeDispose(() => {
    wanted.delete(id)
    empty.delete(id)
  })
  return () => empty.has(id)
}

/** Looks at every form that is about to be sent, before whoever sends it does, until the page goes. */
export function watchForms(): void {
  const isSaved = ({ ctrlKey, key }: KeyboardEvent) => ctrlKey && key === 's'
  document.addEventListener('submit', (event) => look(event.target as HTMLFormElement), true)
  document.addEventListener('keydown', (event) => isSaved(event) && look(formOf(event.target)), true)
  for (const kind of ['submit', 'keydown']) addEventListener(kind, () => (refused = undefined))
  document.addEventListener('input', ({ target }) => target instanceof Element && empty.delete(target.id), true)
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
  const controls = [...form.elements] as Control[]
  const missing = controls.filter(isMissing).map(({ id }) => id)
  // Others were filled in since, be it not by hand.
  for (const { id } of controls) empty.delete(id)
  for (const id of missing) empty.add(id)
  refused = missing.length > 0 ? new FieldsEmpty(missing) : undefined
}

function isMissing(control: Control): boolean {
  const isFixed = control.disabled || ('readOnly' in control && control.readOnly)
  return wanted.has(control.id) && !isFixed && control.value.trim() === ''
}

function formOf(target: EventTarget | null): HTMLFormElement | null {
  return target instanceof Element ? target.closest('form') : null
}
