/** Stands for what a refused value becomes. */
export const refused = Symbol('refused')

const agentId = 'agt_01K2Z3V4X5Y6Z7A8B9C0D1E2F3'

/** Key → pairs of a given value and what is read afterwards. */
export const valueTable: Readonly<Record<string, readonly (readonly [given: unknown, becomes: unknown])[]>> = {
  theme: pairs(['system', 'light', 'dark'], ['', 'Dark', null, true, 1, ['dark'], { theme: 'dark' }]),
  density: pairs(['comfortable', 'compact'], ['wide', null]),
  sidebar_collapsed: pairs([true, false], ['true', 1, 0, null]),
  page_size: pairs([10, 100, 20], [9, 101, 10.5, '10', null, -10, true]),
  home_path: pairs(
    ['/', '/tenant/users?tab=1#top', '/首页', '/a//b'],
    ...[
      [
        '',
        'a',
        '//evil.test',
        '/\\evil.test',
        'https://evil.test',
        '/a b',
        '/a\nb',
        '/a\\b',
        null,
        `/${'x'.repeat(500)}`,
      ],
    ],
  ),
  locale: pairs(['en', 'zh-CN', null], ['zh', 'EN', '', 'fr']),
  timezone: pairs(
    ['UTC', 'Asia/Shanghai', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'],
    ['', 'Mars/Olympus', '+08:00', '08:00', 'Asia/Shanghai ', null, 8],
  ),
  date_format: pairs(['YYYY-MM-DD', 'DD.MM.YYYY', 'MM/DD/YYYY'], ['yyyy-mm-dd', '', null]),
  notification_sound: pairs([false, true], ['on', null]),
  email_digest: pairs(['off', 'daily', 'weekly'], ['monthly', false, null]),
  chat_send_key: pairs(['enter', 'ctrl_enter'], ['shift_enter', null]),
  chat_stream: pairs([false, true], ['', null]),
  default_agent_id: pairs(
    [agentId, null],
    [
      1,
      0,
      '',
      '1',
      'support',
      'agt_',
      'agt_../me',
      `${agentId}\n`,
      `agt_${'0'.repeat(61)}`,
      agentId.toUpperCase(),
      true,
    ],
  ),
}

function pairs(
  kept: readonly unknown[],
  notKept: readonly unknown[],
): readonly (readonly [given: unknown, becomes: unknown])[] {
  return [...kept.map((value) => [value, value] as const), ...notKept.map((value) => [value, refused] as const)]
}
