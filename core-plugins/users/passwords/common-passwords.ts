// What leaked lists show most often among passwords of eight characters and more, in lower case.
const words = `
password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword p@$$w0rd pa$$word passpass
12345678 123456789 1234567890 0123456789 987654321 9876543210 11111111 00000000 88888888 66666666 12341234 11223344
1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx qazwsxedc qwer1234 qwerty12 qwerty123 qwerty1234
qwertyui qwertyuiop asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 abcd1234 abc12345 abc123456 a1b2c3d4 abcdefgh
a12345678 a123456789 aa123456 aa12345678 q1w2e3r4 q1w2e3r4t5 123qweasd 123qwe123 qweasdzxc qweqweqwe asdasdasd
iloveyou iloveyou1 sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball superman
superman1 batman123 starwars whatever trustno1 michael1 jennifer jordan23 michelle danielle computer internet samsung1
charlie1 jessica1 welcome1 welcome123 welcome1234 letmein1 letmein123 changeme changeme1 changeme123 default1
admin123 admin1234 admin12345 admin123456 administrator adminadmin root1234 rootroot toor1234 test1234 test12345
testtest testing1 testing123 guest123 user1234 demo1234 secret123 secretsecret master123 dragon123 monkey123
shadow123 pokemon1 liverpool chocolate butterfly garfield mustang1 maverick mercedes midnight elephant chelsea1
woaini1314 woaini520 woaini123 5201314520 13145201 asd123456 qwe123456 zxc123456 wang1234 li123456 zhang123
summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2025 spring2026 autumn2025 autumn2026
correcthorsebatterystaple
`

/** Passwords that are tried first by whoever guesses. */
export const commonPasswords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
