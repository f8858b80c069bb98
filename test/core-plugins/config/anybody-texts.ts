/** Texts in HTML that show nothing. */
export const meaningless: readonly string[] = [
  '',
  '   \n\t',
  '<p></p>',
  '<p><br></p><hr>',
  '<p>&nbsp;</p>',
  '<p>\u00a0&#160;&#xa0;&ensp;&zwnj;&ZeroWidthSpace;</p>',
  '<p>\u200b\u200c\u200d\u2060\ufeff\u00ad</p>',
  '<p>\u3164\u115f\u2800\u034f</p>',
  '<h1><span> </span></h1><ul><li></li></ul>',
  '<table><tr><td>&nbsp;</td></tr></table>',
  '<a href="https://acme.example"></a>',
  '<img alt="words">',
  '<script>alert(1)</script><style>p{}</style>',
]

/** Texts in HTML that show something. */
export const meaningful: readonly string[] = [
  '<p>a</p>',
  '。',
  '0',
  '<p>&nbsp;</p><p>.</p>',
  '<img src="https://acme.example/policy.png">',
  "<p><img alt='' src='https://acme.example/policy.png'></p>",
]
