/** JSON that was made elsewhere: it goes to the guest as it is, without being parsed here. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
