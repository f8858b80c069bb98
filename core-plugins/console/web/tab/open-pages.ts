import { ref, type Ref } from 'vue'

/** A page that was opened in this tab: its state is in its address, so nothing else is kept. */
export interface OpenPage {
  readonly path: string
  /** With its query. */
  readonly to: string
  readonly title: string
  /** How far it was read, in pixels. */
  readonly scrollY: number
  /** Counts up with each look. */
  readonly lookedAt: number
}

const mostPages = 12
const prefix = 'stoa.open_pages.'

/** Forgets which pages were open in this tab: their titles and addresses say what was read. */
export function forgetOpenPages(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/** The pages that a reader has open in this tab of the browser; a reload keeps them, the end of the tab does not. */
export class OpenPages {
  readonly pages: Ref<readonly OpenPage[]>
  readonly #key: string

  constructor(key: string) {
    this.#key = prefix + key
    this.pages = ref(read(this.#key))
  }

  /** A page is looked at, under an address that may have changed. Beyond 12 the one that was longest not looked at goes. */
  look(path: string, to: string, title: string): void {
    const known = this.pages.value.find((page) => page.path === path)
    const lookedAt = Math.max(0, ...this.pages.value.map((page) => page.lookedAt)) + 1
    const page = { path, to, title, scrollY: known?.scrollY ?? 0, lookedAt }
    const next = known
      ? this.pages.value.map((each) => (each.path === path ? page : each))
      : [...this.pages.value, page]
    const oldest = next.toSorted((one, other) => one.lookedAt - other.lookedAt)[0]
    this.#keep(next.length > mostPages ? next.filter((each) => each !== oldest) : next)
  }

  /** A page is left where it was read. */
  leave(path: string, scrollY: number): void {
    this.#keep(this.pages.value.map((page) => (page.path === path ? { ...page, scrollY } : page)))
  }

  /** The page that will stand in the place of one that is closed. */
  beside(path: string): OpenPage | undefined {
    const at = this.pages.value.findIndex((page) => page.path === path)
    return this.pages.value[at + 1] ?? this.pages.value[at - 1]
  }

  close(path: string): void {
    this.#keep(this.pages.value.filter((page) => page.path !== path))
  }

  #keep(pages: readonly OpenPage[]): void {
    this.pages.value = pages
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(pages))
    } catch {
      // A browser that keeps nothing shows them all the same, until a reload.
    }
  }
}

function read(key: string): readonly OpenPage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isOpenPage) : []
  } catch {
    return []
  }
}

function isOpenPage(value: unknown): value is OpenPage {
  const page = value as Partial<OpenPage> | null
  const texts = [page?.path, page?.to, page?.title]
  return (
    texts.every((text) => typeof text === 'string') && Number.isFinite(page?.scrollY) && Number.isFinite(page?.lookedAt)
  )
}
