import { expose } from './bytes.js'

const codes = {
  ...{ IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5 },
  ...{ NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10 },
  ...{ InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13, NamespaceError: 14 },
  ...{ InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20 },
  ...{ URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25 },
}

/** What web platform functions throw: an Error whose `name` says what kind it is. */
export class DOMException extends Error {
  #name
  constructor(message = '', options = 'Error') {
    super(`${message}`)
    const isObject = typeof options === 'object' && options !== null
    this.#name = `${isObject ? (options.name ?? 'Error') : options}`
    if (isObject && 'cause' in options)
      Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true })
  }
  get name() {
    return this.#name
  }
  get code() {
    return Object.hasOwn(codes, this.#name) ? codes[this.#name] : 0
  }
}
expose(DOMException)
for (const [name, value] of Object.entries(codes)) {
  const constant = name
    .replace(/Error$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
  for (const owner of [DOMException, DOMException.prototype])
    Object.defineProperty(owner, `${constant}_ERR`, { value, enumerable: true })
}
