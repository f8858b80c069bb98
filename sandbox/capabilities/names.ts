import type { Json } from './json.ts'

/**
 * What a plugin's manifest, migrations and texts name. `stoa types` declares it anew at every change, in `.stoa/names.d.ts`;
 * where it is not declared every name is taken.
 */
// An interface, so that a plugin's own declaration can add to it.
export interface Names {
  /** Which of the SDK's forms the declaration is of. */
  readonly version?: 1
}

type Declared<Kind extends string, Otherwise> = Names extends Readonly<Record<Kind, infer Value>> ? Value : Otherwise

/** A row of one of the plugin's own tables. */
export type Row = Readonly<Record<string, Json>>

type Tables = Declared<'tables', Readonly<Record<string, Row>>>
type Settings = Declared<'config', Readonly<Record<string, Json>>>
type Services = Declared<'services', Readonly<Record<string, AnyService>>>
type Templates = Declared<'templates', Readonly<Record<string, string>>>

/** A table that the migrations make. */
export type TableName = Extract<keyof Tables, string>
/** A row of one of them. */
export type RowOf<Name extends TableName> = Tables[Name] & object
/** The name of a column of one of them. */
export type ColumnOf<Name extends TableName> = Extract<keyof RowOf<Name>, string>
/** The key of an item in the manifest's `config`. */
export type ConfigKey = Extract<keyof Settings, string>
/** What is read of it. */
export type ConfigValue<Key extends ConfigKey> = Settings[Key]
/** The key of a text in `locales/`. */
export type TextKey = Declared<'texts', string>
/** An event that the manifest publishes. */
export type PublishedType = Declared<'publishes', string>
/** An event that the manifest subscribes to. */
export type SubscribedType = Declared<'subscribes', string>
/** The code of a permission of the manifest. */
export type PermissionCode = Declared<'permissions', string>

/** What a method of another plugin's service takes and gives. */
interface ServiceMethod {
  readonly input: Json
  readonly output: Json
}

/** A service that no copy in `services/` says more of. */
export type AnyService = Readonly<Record<string, ServiceMethod>>

/** A service that the manifest's `uses` names. */
export type UsedService = Extract<keyof Services, string>
/** One of them that no copy in `services/` says more of. */
export type UncopiedService = {
  [Service in UsedService]: string extends keyof Services[Service] ? Service : never
}[UsedService]
/** A method of one of them. */
export type MethodOf<Service extends UsedService> = Extract<keyof Services[Service], string>
type Part<Service extends UsedService, Method extends MethodOf<Service>, Name extends string> =
  Services[Service][Method] extends Readonly<Record<Name, infer Value>> ? Value : Json
/** What the method takes; may be left out where null is taken. */
export type ServiceInput<Service extends UsedService, Method extends MethodOf<Service>> =
  null extends Part<Service, Method, 'input'>
    ? [input?: Part<Service, Method, 'input'>]
    : [input: Part<Service, Method, 'input'>]
/** What the method gives. */
export type ServiceOutput<Service extends UsedService, Method extends MethodOf<Service>> = Part<
  Service,
  Method,
  'output'
>

type Answers<Service extends UsedService> = {
  readonly [Method in MethodOf<Service> as `${Service}.${Method}`]?:
    ServiceOutput<Service, Method> | ((input: Part<Service, Method, 'input'>) => ServiceOutput<Service, Method>)
}
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
/** What a test answers for other plugins, by service and method. */
export type ServiceAnswers = Together<{ [Service in UsedService]: Answers<Service> }[UsedService]>
/** A parameter of a path of the manifest's routes. */
export type ParameterName = Declared<'parameters', string>
/** A job of the manifest. */
export type JobName = Declared<'jobs', string>
/** A template of the manifest's `mail`. */
export type TemplateName = Extract<keyof Templates, string>
/** The name of a value of one of them. */
export type TemplateValue<Name extends TemplateName> = Extract<Templates[Name], string>
/** A capability that the manifest asks for. */
export type AskedCapability = Declared<'capabilities', string>
