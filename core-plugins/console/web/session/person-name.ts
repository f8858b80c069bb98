/** What somebody is called; who signs in by telephone may have neither a name nor an address of mail. */
export function personName({
  nickname,
  email,
  account,
}: {
  readonly nickname: string
  readonly email: string | null
  readonly account: string
}): string {
  return nickname || email || account
}
