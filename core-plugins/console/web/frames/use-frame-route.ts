import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** Where in a page of a plugin one is, kept in the console's address. */
export function useFrameRoute() {
  const route = useRoute()
  const router = useRouter()
  const place = computed(() => {
    const { r } = route.query
    return typeof r === 'string' && r.startsWith('/') ? r : '/'
  })
  function go(to: string, replace: boolean): void {
    const location = { path: route.path, query: to === '/' ? {} : { r: to } }
    void (replace ? router.replace(location) : router.push(location))
  }
  return { place, go }
}
