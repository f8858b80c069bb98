/** How pages look, in light and dark. */
export const siteStyles = `:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
.small { opacity: 0.75; font-size: 0.875rem; }
.plugins { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); }
.plugins li { border: 1px solid #8888; border-radius: 0.5rem; padding: 1rem; }
.plugins h2 { font-size: 1.125rem; margin: 0; }
.plugins li[hidden] { display: none; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #8888; padding: 0.25rem 0.75rem; text-align: start; vertical-align: top; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8888; }
footer { margin-top: 3rem; }
`

/** Narrows the list by what is typed; without it the whole list is read. */
export const searchScript = `const box = document.querySelector('.search')
if (box) {
  box.hidden = false
  box.querySelector('input').addEventListener('input', ({ target }) => {
    const words = target.value.toLowerCase().split(/\\s+/).filter(Boolean)
    for (const item of document.querySelectorAll('[data-words]'))
      item.hidden = !words.every((word) => item.dataset.words.includes(word))
  })
}
`
