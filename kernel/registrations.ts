/** Something that stands in a table; it can be taken out and put back, without a wait in between. */
class Registration implements Disposable {
  readonly #register: () => Disposable
  #registered: Disposable | undefined

  constructor(register: () => Disposable) {
    this.#register = register
  }

  open(): void {
    this.#registered ??= this.#register()
  }

  [Symbol.dispose](): void {
    const registered = this.#registered
    this.#registered = undefined
    registered?.[Symbol.dispose]()
  }
}

/** All that a plugin has registered: standing at once, or on standby until it takes the place of another's. */
export class Registrations {
  readonly #resources: AsyncDisposableStack
  readonly #all: Registration[] = []
  #isOpen: boolean

  constructor(resources: AsyncDisposableStack, { isOpen }: { readonly isOpen: boolean }) {
    this.#resources = resources
    this.#isOpen = isOpen
  }

  /** Registers now or when the place is taken; undone with the plugin's other resources. */
  add(register: () => Disposable): void {
    // First, since it throws once the plugin has ended, and then nothing may be left standing.
    const registration = this.#resources.use(new Registration(register))
    if (this.#isOpen) registration.open()
    this.#all.push(registration)
  }

  /** Takes the place of others in one go, so that nobody sees neither or both; when that fails, the others stand as before. */
  takeOver(others: Registrations): void {
    others.#close()
    try {
      this.#open()
    } catch (error) {
      this.#close()
      others.#open()
      throw error
    }
  }

  #open(): void {
    this.#isOpen = true
    for (const registration of this.#all) registration.open()
  }

  #close(): void {
    this.#isOpen = false
    for (const registration of this.#all.toReversed()) registration[Symbol.dispose]()
  }
}
