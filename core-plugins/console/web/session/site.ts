import { ref } from 'vue'

/** What this site is called, as far as the tab was told. */
export const siteName = ref('Stoa')

/** How much is unread, for the name of the tab. */
export const unreadCount = ref(0)

/** What a page calls itself. */
export interface PageName {
  readonly path: string
  /** What it is about, such as a tenant. */
  readonly title: string
  /** Of which page, where the router does not know it. */
  readonly page?: string
  /** Where in it one is, or what has become of it: for the tab alone. */
  readonly state?: string
}

/** What the page that is shown calls itself. */
export const pageName = ref<PageName>()
