import katex from 'katex'
import { trustedMath } from '../../tab/trusted.ts'

/** Draws formulas that stand in an element as they were written; what is no formula stays that way. */
export function drawMath(within: Element): void {
  for (const written of within.querySelectorAll('code[data-math]')) {
    const displayMode = written.getAttribute('data-math') === 'block'
    const formula = document.createElement('span')
    formula.className = displayMode ? 'math-block' : 'math'
    try {
      const options = {
        displayMode,
        output: 'mathml',
        maxSize: 20,
        maxExpand: 200,
        strict: 'ignore',
        errorColor: 'currentcolor',
      } as const
      formula.innerHTML = trustedMath(katex.renderToString(written.textContent ?? '', options))
    } catch {
      continue
    }
    written.replaceWith(formula)
  }
}
