import { defineAsyncComponent, h, shallowRef, type Component } from 'vue'
import { isMissingFile, patiently } from '../tab/patiently.ts'
import { loadAnew } from './follow-build.ts'
import ProblemBox from './ProblemBox.vue'

/** A component that is loaded when it is first shown. Where its files are not there, that is said in its place, and it can be tried again. */
export function lazily<T extends Component>(load: () => Promise<T | { readonly default: T }>): T {
  const failure = shallowRef<{ readonly error: Error; readonly retry: () => void }>()
  function onRetry() {
    const { retry } = failure.value ?? {}
    failure.value = undefined
    retry?.()
  }
  return defineAsyncComponent({
    loader: patiently(load),
    delay: 0,
    loadingComponent: () => failure.value && h(ProblemBox, { error: failure.value.error, retry: true, onRetry }),
    onError(error, retry, fail) {
      if (!isMissingFile(error)) return fail()
      void loadAnew(location.href).then((isLeft) => {
        if (!isLeft) failure.value = { error, retry }
      })
    },
  })
}
