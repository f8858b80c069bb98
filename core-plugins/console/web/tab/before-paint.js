// Runs before the first paint, so that nobody who chose dark sees a white flash; plain, small and without imports.
;(() => {
  let hint = {}
  try {
    hint = JSON.parse(localStorage.getItem('stoa.hint')) || {}
  } catch {
    // Nothing was kept, or the browser keeps nothing: the system says.
  }
  const wanted = hint.theme || 'system'
  const dark = wanted === 'dark' || (wanted === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  if (hint.locale) document.documentElement.lang = hint.locale
})()
