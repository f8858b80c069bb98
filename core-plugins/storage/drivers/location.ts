const longest = 300

/** Whether a text is a relative path of safe segments, the same in every file system and URL. */
export function isLocation(text: string): boolean {
  return text.length <= longest && /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)+$/.test(text)
}
