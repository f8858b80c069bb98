import { ref } from 'vue'

/** Whether the table of keys lies over the page. */
export const areKeysShown = ref(false)
