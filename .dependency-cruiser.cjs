/** Who may import whom. Each rule says what to do about a violation; none has an exemption list. */
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    only(
      'kernel-imports-nothing-of-ours',
      'The kernel carries no feature: move the code to a plugin, or let the plugin provide a service.',
      { path: '^kernel/' },
      { path: '^(core-plugins|sandbox|marketplace|test)/' },
    ),
    only(
      'sandbox-imports-kernel-only',
      'The sandbox knows the kernel door and nothing else: take what is needed as an argument.',
      { path: '^sandbox/' },
      { path: '^(core-plugins|marketplace|test)/' },
    ),
    only(
      'marketplace-imports-kernel-and-sandbox',
      'The marketplace stands beside the core plugins: they call it, never the reverse.',
      { path: '^marketplace/' },
      { path: '^(core-plugins|test)/' },
    ),
    only(
      'through-the-kernel-door',
      'Import from #kernel, or #kernel/schemas. What is missing there must be exported by kernel/index.ts first.',
      { path: '^(core-plugins|sandbox|marketplace)/' },
      { path: '^kernel/', pathNot: '^kernel/(index\\.ts|schemas\\.ts|launch\\.js)$' },
    ),
    only(
      'through-the-sandbox-door',
      'Import from #sandbox; what authors write imports the SDK.',
      { path: '^(core-plugins|marketplace)/' },
      { path: '^sandbox/', pathNot: '^sandbox/(index|sdk/index|sdk/testing/index|sdk/ui/protocol)\\.ts$' },
    ),
    only(
      'through-the-marketplace-door',
      'Import from #marketplace.',
      { path: '^core-plugins/' },
      { path: '^marketplace/', pathNot: '^marketplace/index\\.ts$' },
    ),
    only(
      'only-plugins-use-sandbox-and-marketplace',
      'Third-party code is the business of core-plugins/plugins and core-plugins/plugin-* alone: ask their contracts.',
      { path: '^core-plugins/', pathNot: '^core-plugins/(plugins/|plugin-[a-z]+/|main\\.ts$)' },
      { path: '^(sandbox|marketplace)/', pathNot: '^sandbox/sdk/ui/protocol\\.ts$' },
    ),
    only(
      'a-plugin-is-known-by-its-contract',
      'Of another core plugin only contract.ts may be imported: put the ref, interface or event there. (The pages: see below.)',
      { path: '^core-plugins/([^/]+)/', pathNot: '^core-plugins/console/web/' },
      { path: '^core-plugins/[^/]+/', pathNot: '^core-plugins/($1/|[^/]+/contract\\.ts$)' },
    ),
    only(
      'a-contract-is-types-and-refs',
      'A contract imports #kernel, types of #sandbox and #marketplace, and other contracts: move behaviour to service.ts.',
      { path: '^core-plugins/[^/]+/contract[a-z-]*\\.ts$' },
      {
        path: '^(core-plugins|sandbox|marketplace)/',
        pathNot: '/contract[a-z-]*\\.ts$|^(sandbox|marketplace)/index\\.ts$',
      },
    ),
    only(
      'a-contract-takes-types-alone',
      'Of #sandbox and #marketplace a contract may name types: import type.',
      { path: '^core-plugins/[^/]+/contract[a-z-]*\\.ts$' },
      { path: '^(sandbox|marketplace)/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'nothing-imports-the-process',
      'main.ts starts the process and is imported by nobody.',
      { pathNot: '^(core-plugins/start\\.js$|test/)' },
      { path: '^core-plugins/main\\.ts$' },
    ),
    only(
      'isolated-vm-in-the-sandbox-host',
      'Only the child process may load isolated-vm.',
      { pathNot: '^sandbox/host/' },
      { path: 'node_modules/isolated-vm' },
    ),
    only(
      'adm-zip-in-the-marketplace',
      'Archives are opened by marketplace alone.',
      { pathNot: '^(marketplace|test)/' },
      { path: 'node_modules/(@types/)?adm-zip' },
    ),
    only(
      'koa-in-kernel-http',
      'Plugins see RouteContext, never Koa.',
      { pathNot: '^(kernel/http|test)/' },
      { path: 'node_modules/(@types/)?koa(/|$)' },
    ),
    only(
      'ws-in-kernel-http',
      'Plugins see Socket and SocketRoute, never ws.',
      { pathNot: '^(kernel/http|test)/' },
      { path: 'node_modules/(@types/)?ws(/|$)' },
    ),
    only(
      'sharp-in-attachments-and-captcha',
      'Images are made by attachments and captcha alone: ask their contracts.',
      { pathNot: '^(core-plugins/(attachments|captcha)|test)/' },
      { path: 'node_modules/sharp' },
    ),
    only(
      'the-pages-know-the-wire-alone',
      'The console speaks to the platform over HTTP: types of bodies stand in wire.ts of the core plugin that gives them, what pages of plugins say in their protocol, and all else in web/ or in an answer.',
      { path: '^core-plugins/console/web/' },
      {
        path: '^(kernel|sandbox|marketplace|core-plugins)/',
        pathNot: '^(core-plugins/console/web/|core-plugins/[a-z-]+/wire\\.ts$|sandbox/sdk/ui/protocol\\.ts$)',
      },
    ),
    only(
      'the-pages-take-types-of-the-wire',
      'Nothing of the server runs in a browser: import type.',
      { path: '^core-plugins/console/web/' },
      { path: '^core-plugins/(?!console/)[a-z-]+/wire\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'a-wire-is-light',
      'Whoever checks the pages reads all that a wire reaches: schemas, and of the kernel #kernel/schemas. Move the words that a schema needs to a file of their own.',
      { path: '^core-plugins/[a-z-]+/wire\\.ts$' },
      {
        path: '^(kernel|sandbox|marketplace)/',
        pathNot: '^kernel/(schemas\\.ts$|(http/(body-of|list-schemas|object-of)|locale/locales|config-types)\\.ts$)',
        reachable: true,
      },
    ),
    only(
      'nothing-imports-the-pages',
      'What is in web/ is for browsers: the server serves what was built of it.',
      { pathNot: '^core-plugins/console/web/' },
      { path: '^core-plugins/console/web/' },
    ),
    only(
      'pages-do-not-import-each-other',
      'What two pages share stands beside them, in ui/, people/, plugins/ or settings/.',
      { path: '^core-plugins/console/web/pages/(\\w+/\\w+)/' },
      { path: '^core-plugins/console/web/pages/', pathNot: '^core-plugins/console/web/pages/$1/' },
    ),
    only('no-cycles', 'Split the shared part out, or pass it as an argument.', {}, { circular: true }),
    only(
      'no-undeclared-packages',
      'Add it to package.json.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    ),
  ],
  required: [
    {
      name: 'a-plugin-is-wired-in-its-setup',
      comment: 'index.ts is the manifest; what the plugin is built of, and in which order, stands in setup.ts.',
      severity: 'error',
      module: { path: '^core-plugins/([^/]+)/index\\.ts$' },
      to: { path: '^core-plugins/$1/setup\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built, and pages of plugins, which a browser loads from the platform.
    exclude: { path: '(^|/)dist/|^marketplace/templates/[^/]+/ui/|^test/fixtures/plugins/[^/]+/ui/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}
