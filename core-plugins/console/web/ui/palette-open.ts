import { ref } from 'vue'

/** Whether the palette lies over the page. */
export const isPaletteOpen = ref(false)
