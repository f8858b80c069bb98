/* eslint-disable @typescript-eslint/unbound-method -- each is called on what it is given */
// What a page changes of all this later on changes nothing here.
const Observer = MutationObserver
const observe = freed(Observer.prototype.observe)
const findInDocument = freed<Document, [string], NodeListOf<Element>>(Document.prototype.querySelectorAll)
const findInRoot = freed<ParentNode, [string], NodeListOf<Element>>(DocumentFragment.prototype.querySelectorAll)
const remove = freed(Element.prototype.remove)
const write = freed(Element.prototype.setAttribute)
const insert = freed(Node.prototype.insertBefore)
const parentOf = getter<Node | null>(Node.prototype, 'parentNode')
const nextOf = getter<Node | null>(Node.prototype, 'nextSibling')
const attach = freed(Element.prototype.attachShadow)

const unheld = 'iframe:not([sandbox=""])'
const watched = { __proto__: null, childList: true, subtree: true, attributes: true, attributeFilter: only('sandbox') }

/**
 * Keeps frames that a page makes within itself from running scripts, before any runs: it would find there what the page has not. A text
 * (`srcdoc`) is shown in them; no policy keeps a page from those.
 */
export function holdNestedFrames(): void {
  watch(document, () => findInDocument(document, unheld))
  fix(Element.prototype, 'attachShadow', function attachShadow(this: Element, init: ShadowRootInit) {
    // The copy of a root would be nobody's to watch.
    const root = attach(this, { ...init, clonable: false })
    watch(root, () => findInRoot(root, unheld))
    return root
  })
  // All that makes such roots of text (in the page's own the platform does: sandbox/pages/shown-page.ts). What opens the document
  // anew would take away who listens in it, too.
  for (const name of ['write', 'writeln', 'open']) fix(Document.prototype, name, undefined)
  for (const owner of [Element.prototype, ShadowRoot.prototype, Document])
    for (const name of Object.getOwnPropertyNames(owner)) if (name.endsWith('HTMLUnsafe')) fix(owner, name, undefined)
}

/** Observers have their turn before a frame begins to load, and before anything else of the browser has. */
function watch(root: Node, find: () => NodeListOf<Element>): void {
  const observer = new Observer(() => {
    const frames = find()
    for (let at = 0, frame = frames[0]; frame; at += 1, frame = frames[at]) hold(frame)
  })
  observe(observer, root, watched)
}

/** What has begun to load in it ends with its going; it comes back as one that runs nothing. */
function hold(frame: Element): void {
  const parent = parentOf(frame)
  const next = nextOf(frame)
  remove(frame)
  write(frame, 'sandbox', '')
  try {
    if (parent) insert(parent, frame, next)
  } catch {
    // The page has moved what stood around it, in code that its going ran.
  }
}

/** A method as a function of what it is called on, which stays what it is. */
function freed<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (self: This, ...args: Args) => Result {
  return Function.prototype.call.bind(method) as (self: This, ...args: Args) => Result
}

function getter<Value>(owner: Node, name: string): (self: Node) => Value {
  const { get } = Object.getOwnPropertyDescriptor(owner, name) ?? {}
  return freed(get as (this: Node) => Value)
}

/** A list of one that asks nothing of what lists are. */
function only(value: string): Iterable<string> {
  return {
    [Symbol.iterator]() {
      let done = true
      return { next: () => ({ done: (done = !done), value }) as IteratorResult<string> }
    },
  }
}

/** Makes it what it is for good. */
export function fix(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false })
}
