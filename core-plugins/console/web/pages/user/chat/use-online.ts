import { onScopeDispose, ref, type Ref } from 'vue'

/** Whether the browser has a network. */
export function useOnline(): Ref<boolean> {
  const isOnline = ref(navigator.onLine)
  const end = new AbortController()
  const look = () => (isOnline.value = navigator.onLine)
  for (const event of ['online', 'offline']) window.addEventListener(event, look, { signal: end.signal })
  onScopeDispose(() => end.abort())
  return isOnline
}
