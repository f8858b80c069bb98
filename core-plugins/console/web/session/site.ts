import { ref } from 'vue'

/** What this site is called, as far as the tab was told. */
export const siteName = ref('Stoa')
