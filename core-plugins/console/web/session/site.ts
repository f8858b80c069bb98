import { ref } from 'vue'

/** What this site is called, as far as the tab was told. */
export const siteName = ref('Stoa')

/** How much is unread, for the name of the tab. */
export const unreadCount = ref(0)
