/** Texts that would do something in a page that took them for its own. Each that succeeds sets `window.hit` or asks the person. */
export const hostileMarkup: readonly string[] = [
  "<img src=x onerror=window.hit=1>",
  "<script>window.hit=2</script>",
  '"><svg onload=window.hit=3>',
  "'\"><iframe srcdoc='<script>parent.hit=4</script>'>",
  "[click](javascript:window.hit=5)",
  "![x](javascript:window.hit=6)",
  "<a href='javascript:window.hit=7'>x</a>",
  "<style>@import 'http://127.0.0.1:1/x'; body{display:none}</style>",
  "</textarea><script>window.hit=8</script>",
  "{{constructor.constructor('window.hit=9')()}}",
  "<details open ontoggle=window.hit=10>",
  "<base href='http://127.0.0.1:1/'>",
  "\u202e<b>gpj.exe\u202c",
];

/** All of them in one text, for what may be long. */
export const hostileText = hostileMarkup.join("\n\n");
