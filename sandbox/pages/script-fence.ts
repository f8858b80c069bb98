/** What speaks to others past the policy of a page. */
const voices = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocketStream']

/**
 * Stands before each script that a page may run, on its first line: in whatever frame or document of its own making a page runs it,
 * it takes away there what it would speak with. Each such place has the browser's globals anew, and nothing else keeps a page from
 * making them (`srcdoc`, shadow roots, `XSLTProcessor` …). Its `window` must be the browser's own: a name of the script's own ends it.
 */
export const scriptFence = `if({}.toString.call(window)!=="[object Window]")throw 0;${voices.map((name) => `delete window.${name};`).join('')}`

/** The first Chromium in which `Connection-Allowlist` was seen to keep pages from others, in frames of theirs as well. */
const knowing = 156

/** Whether this is a browser, and none that is known to have that header; whoever is none gets scripts as they were signed, too. */
export function needsFence(userAgent: string): boolean {
  const [, version = '0'] = /Chrome\/(\d+)/.exec(userAgent) ?? []
  return userAgent.includes('Mozilla/') && Number(version) < knowing
}

/** A directive has effect only where nothing but comments stands before it. */
const strict = /^\s*(?:(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)\s*)*(["'])use strict\1/
const mostLooked = 4_096

/** What stands before a script that begins like this. */
export function fenceOf(script: string): string {
  return strict.test(script.slice(0, mostLooked)) ? `"use strict";${scriptFence}` : scriptFence
}
