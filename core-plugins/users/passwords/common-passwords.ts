// What the list below lacks: Chinese words and numbers that sound like words, seasons with their years, set phrases.
const additions = `
woaini woaini1314 woaini520 woaini521 woaini123 woaiwojia woaizhongguo aini1314 ainiyiwannian zhongguo zhonghua beijing
beijing2008 shanghai guangzhou shenzhen nihao nihao123 nihaoma mima mima1234 mima123456 caonima wodemima mimamima
5201314 5201314520 13145201 1314520 5211314 7758258 7758521 147258369 147852369 159357 1472583690 88888888 66666666
zhangwei wangwei liwei zhangsan lisi wangwu xiaoming wang1234 li123456 zhang123 a5201314 qq123456 qq5201314 asd123456
qwe123456 zxc123456 abc123456 aa123456 aa12345678 a12345678 a123456789 1q2w3e4r5t6y qazwsxedcrfv 11223344 12341234
password passwd passw0rd p@ssw0rd p@$$w0rd letmein welcome changeme default admin administrator root toor test testing
guest user demo secret master summer winter spring autumn season january february march april october november december
monday friday sunday company office hello helloworld login qwerty trustno1 stoa correcthorsebatterystaple
`
const leet: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '!': 'i',
}

let loading: Promise<ReadonlySet<string>> | undefined

/** Passwords that are tried first by whoever guesses, some 49,000 in lower case; loaded when the first password is checked. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= load()
  return loading
}

/** Whether a text in lower case is such a password, also with a year, a number or signs behind it or with signs for letters. */
export function isCommonPassword(text: string, common: ReadonlySet<string>): boolean {
  const bases = [text, text.replace(/(19|20)\d\d\W?$/, ''), text.replace(/[\d\W_]{1,4}$/, '')]
  return bases.some((base) => {
    if (base !== text && base.length < 4) return false
    const letters = base.replace(/[@430$57!]/g, (sign) => leet[sign] ?? sign)
    return [base, letters, letters.replaceAll('1', 'i'), letters.replaceAll('1', 'l')].some((word) => common.has(word))
  })
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([
    ...dictionary['passwords-common'].map((word) => word.toLowerCase()),
    ...additions.trim().split(/\s+/),
  ])
}
