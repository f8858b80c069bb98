import { tokenize } from './tokenize.ts'

/** Words that stand in questions whatever they are about; in documents they count as others do. */
const asking = `a about am an and any are as at be been but by can could did do does for from get got had has have how i if in into is it its
  may me might my of on or our shall should so some tell that the their them there these they this those to us was we were what when where
  which who whom whose why will with would you your please want wants wanted need needs like know hello hi thank
  thanks`
/** The same where no spaces are written, the longer before what they begin with. */
const askingPhrases = `什么时候 为什么 什么 怎么样 怎么办 怎么 怎样 如何 请问 哪里 哪些 哪个 是否 可以 能不能 有没有 多长时间 多久 多少
  どうすれば いいですか よいですか でしょうか できますか ありますか ですか ますか ましたか したいのですが したいです したい を教えてください
  教えてください について ください どこで どこ いつまで いつ どうやって どのように どう なぜ 何
  我想要 我想 我要 你好`
const askingTerms: ReadonlySet<string> = new Set(asking.split(/\s+/).flatMap((word) => tokenize(word)))
const phrases = new RegExp(askingPhrases.split(/\s+/).join('|'), 'g')
/** Of a question; more say nothing that these do not. */
const mostTerms = 64

/** The terms of a text, each once, without those that only ask: none where there is nothing else. */
export function tellingTerms(text: string): readonly string[] {
  const told = new Set(tokenize(text.normalize('NFKC').replace(phrases, ' ')))
  return [...told].filter((term) => !askingTerms.has(term))
}

/** The terms of a question, each once; what only asks is left out where something else remains. */
export function questionTerms(text: string): readonly string[] {
  const telling = tellingTerms(text)
  return (telling.length > 0 ? telling : [...new Set(tokenize(text))]).slice(0, mostTerms)
}
