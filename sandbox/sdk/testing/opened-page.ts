import type { Json } from '../../capabilities/json.ts'
import type { PageContext } from '../ui/protocol.ts'

/** What a test says of whom a page is shown to, and how; the rest is as for a user who holds every permission of the plugin. */
export interface TestPageContext {
  /** Permissions are the manifest's short codes. */
  readonly user?: PageContext['user']
  readonly tenant?: { readonly id: number; readonly code: string; readonly name?: string }
  readonly locale?: PageContext['locale']
  readonly timeZone?: string
  readonly dateFormat?: string
  readonly theme?: PageContext['theme']
  readonly density?: string
  /** Where in the page it begins. */
  readonly route?: string
  /** What the user chose; for the others the manifest's defaults. */
  readonly preferences?: Readonly<Record<string, Json>>
  /** Of the whole window, in pixels. */
  readonly container?: { readonly width: number; readonly height: number }
}

/** What of it may change while a page is open. */
export interface PageChange extends Omit<TestPageContext, 'tenant' | 'route' | 'user'> {
  /** The short codes that the user holds from now on. */
  readonly permissions?: readonly string[]
}

/** An element of a page; what is done with it waits until it is there and can be. As `Locator` of Playwright, which it is. */
export interface PageElement extends PageElements {
  click(): Promise<void>
  fill(text: string): Promise<void>
  /** A key, or several as in `Control+Enter`. */
  press(key: string): Promise<void>
  check(): Promise<void>
  uncheck(): Promise<void>
  selectOption(value: string | readonly string[]): Promise<readonly string[]>
  focus(): Promise<void>
  /** Until it is shown, or as `state` says. */
  waitFor(options?: { readonly state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>
  innerText(): Promise<string>
  textContent(): Promise<string | null>
  inputValue(): Promise<string>
  getAttribute(name: string): Promise<string | null>
  isVisible(): Promise<boolean>
  isEnabled(): Promise<boolean>
  isChecked(): Promise<boolean>
  /** The texts of all of them that are there now, and how many there are. */
  allInnerTexts(): Promise<readonly string[]>
  count(): Promise<number>
  first(): PageElement
  nth(index: number): PageElement
  filter(options: { readonly hasText: string | RegExp }): PageElement
}

/** How elements are named. */
interface NamedOptions {
  readonly exact?: boolean
}

/** Roles of WAI-ARIA that pages have most of; `locator('[role=…]')` finds the others. */
type PageRole =
  | ('alert' | 'article' | 'button' | 'cell' | 'checkbox' | 'columnheader' | 'combobox' | 'dialog' | 'form' | 'group')
  | ('heading' | 'img' | 'link' | 'list' | 'listbox' | 'listitem' | 'main' | 'menu' | 'menuitem' | 'navigation')
  | ('option' | 'progressbar' | 'radio' | 'radiogroup' | 'region' | 'row' | 'searchbox' | 'slider' | 'spinbutton')
  | ('status' | 'switch' | 'tab' | 'table' | 'tablist' | 'tabpanel' | 'textbox' | 'toolbar' | 'tree' | 'treeitem')

/** Where elements are looked for, as people and screen readers find them. */
export interface PageElements {
  /** By a CSS selector. */
  locator(selector: string): PageElement
  getByRole(role: PageRole, options?: NamedOptions & { readonly name?: string | RegExp }): PageElement
  getByLabel(text: string | RegExp, options?: NamedOptions): PageElement
  getByText(text: string | RegExp, options?: NamedOptions): PageElement
  getByPlaceholder(text: string | RegExp, options?: NamedOptions): PageElement
}

/** What a page asked of a route of its plugin. */
export interface PageAsked {
  readonly method: string
  /** With its query, below the plugin's own routes. */
  readonly path: string
  readonly status: number
}

/** What a page said with `log`, or went wrong in it. */
export interface PageSaid {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** Of an error its places, the nearest first: `at ui/page.js:7:3`. */
  readonly places: readonly string[]
}

/** A page of the plugin in Chromium, in the console's own frame and at its bridge; elements are looked for in the page. Dispose of it after the test. */
export interface OpenedPage extends PageElements, AsyncDisposable {
  /** What stands around it: the plugin's title, questions (`confirm`, `openLink`) and notices. */
  readonly console: PageElements
  /** What it asked of its plugin, oldest first; its routes are answered by the plugin under test. */
  readonly asked: readonly PageAsked[]
  /** Errors among it are what it threw, what its policy refused, and what it logged as such. */
  readonly said: readonly PageSaid[]
  /** Where in the page the user is, as `navigate` and going back leave it. */
  route(): string
  /** Tells it an event of the plugin, as `ctx.events.publish` does; `type` is its whole name. */
  tell(type: string, payload: Json): Promise<void>
  /** Changes for whom it is shown, or how, while it is open: it hears `context`. */
  change(context: PageChange): Promise<void>
  /** Goes back, as the browser's button does. */
  back(): Promise<void>
}
