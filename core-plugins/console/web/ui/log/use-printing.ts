import { onScopeDispose, ref, type Ref } from 'vue'

/** Whether the page is being put on paper, where everything has to be there at once. */
export function usePrinting(): Ref<boolean> {
  const paper = matchMedia('print')
  const isPrinting = ref(paper.matches)
  const end = new AbortController()
  const { signal } = end
  paper.addEventListener('change', () => (isPrinting.value = paper.matches), { signal })
  window.addEventListener('beforeprint', () => (isPrinting.value = true), { signal })
  window.addEventListener('afterprint', () => (isPrinting.value = false), { signal })
  onScopeDispose(() => end.abort())
  return isPrinting
}
