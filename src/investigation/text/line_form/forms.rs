//! The forms themselves.

/// What may be before a message.
///
/// | in braces | is |
/// |---|---|
/// | `{name}` | a word |
/// | `{name..}`, `{name...}` | anything up to what follows, the first time, the last time that it comes |
/// | `{name#}` | a number, or `-` |
/// | `{name@}` | a date and a clock, as syslog has them |
/// | `{name!}` | the name of a program, perhaps with its number in brackets |
/// | `{name&}` | an address, perhaps with a port |
/// | `{name?}` | anything up to what follows, or nothing |
///
/// A blank is one or more. What is called `-` is dropped.
pub(super) const HEADERS: [&str; 6] = [
    "1 {-} {host} {program} {-} {-} ",
    // Dante.
    "{-@} ({-}) {program!}: ",
    // F5 has no blank behind its name.
    "{-@} {host} ASM:",
    "{-@} {host} {program!}: ",
    "{-@} {host} : ",
    // ProFTPD.
    "{-@} {host} {program}[{-}] {listener} ({client}[",
];

/// Lines and messages of programs.
pub(super) const FORMS: [&str; 79] = [
    // The combined log format, with a virtual host before it, and the common one.
    r#"{vhost} {client&} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{vhost} {client&} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#}"#,
    r#"{client} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{client} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#}"#,
    r#"{client} {ident} {user..} [{time..}] "{request..}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{client} {ident} {user..} [{time..}] "{request..}" {status#} {bytes#}"#,
    r#"{client&} {host} {user} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    // gunicorn with forwarded addresses, uvicorn, the stream module of nginx.
    r#"[{time..}] {client&} "{x_forwarded_for..}" {ident} {user..} "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{level}: {client&} - "{method} {path} {-}" {status#} "#,
    r#"{client&} [{time..}] {protocol} {status#} {bytes#} {received#} {elapsed} "{upstream..}""#,
    // Load balancers and storage of AWS, Envoy.
    r#"{-} {time} {-} {client} {backend} {-} {-} {-} {status#} {-} {-} {bytes#} "{method} {url} {-}" "{agent..}""#,
    r#"{-@} {-} {client&} {backend} {-} {-} {-} {status#} {-} {-} {bytes#} "{method} {url} {-}" "{agent..}""#,
    r#"{-} {bucket} [{time..}] {client} {-} {-} {operation} {key} "{method} {path} {-}" {status#} {-} {bytes#} {-} {-} {-} "{referer..}" "{agent..}""#,
    r#"[{time..}] "{method} {path} {-}" {status#} {-} {-} {-} "{-..}" {-#} {bytes#} {-#} {-} "{x_forwarded_for..}" "{agent..}" "{-..}" "{host..}" "{upstream..}" {-} {upstream_local} {listener} {client} "#,
    // Transfers of FTP servers, vsftpd.
    "{time@} {-#} {client} {bytes#} {path} {-} {-} {-} {-} {user} {-} {-} ",
    r#"{time@} [pid {-#}] [{user}] {status} {-}: Client "{client}""#,
    // Apache, lighttpd: failed logins.
    "[{time..}] [{-}] [{-..}] [client {client}] {-}: user {user}: ",
    "[{time..}] [{-}] [{-..}] [client {client}] {-}: user {user} not found: ",
    "{time@}: ({-}) password doesn't match for {path} username: {user} IP: {client}",
    // Squid.
    "{time} {elapsed#} {client} {result}/{status#} {bytes#} {method} {path} {user} {hierarchy}/{server} {type}",
    // HAProxy: HTTP, HTTP with captured headers, TCP.
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} "{method} {path} {-}""#,
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} {-..} "{method} {path} {-}""#,
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} "{request..}""#,
    "{client} [{time..}] {frontend} {backend}/{server} {timers} {bytes#} {-} {-} {-}",
    // Pure-FTPd.
    "({-}@{client&}) [{level}] Authentication failed for user [{user..}]",
    "({user}@{client&}) [{level}] ",
    // sslh, postscreen, OpenSMTPD.
    "{-}:connection from {client&} to {listener&} forwarded from {local&} to {server&}",
    "CONNECT from {client&} to {listener&}",
    "{-} mta connecting address=smtp://{server&} ",
    r#"{-} mta delivery evpid={-} from={-} to={-} rcpt={-} source="{local&}" relay="{server&} "#,
    // The slow log of MariaDB and MySQL.
    "# User@Host: {user}[{-}] @ {-..}[{client}]",
    // sshd. A user can have any name, also one with `from` in it.
    "Failed {method} for invalid user {user...} from {client} port {port#}",
    "Failed {method} for {user...} from {client} port {port#}",
    "Accepted {method} for {user...} from {client} port {port#}",
    "Postponed {method} for invalid user {user...} from {client} port {port#}",
    "Postponed {method} for {user...} from {client} port {port#}",
    "Invalid user {user...} from {client} port {port#}",
    "Connection closed by authenticating user {user...} {client} port {port#}",
    "Connection closed by invalid user {user...} {client} port {port#}",
    "Connection reset by authenticating user {user...} {client} port {port#}",
    "Connection reset by invalid user {user...} {client} port {port#}",
    "Disconnected from authenticating user {user...} {client} port {port#}",
    "Disconnected from invalid user {user...} {client} port {port#}",
    "Disconnected from user {user...} {client} port {port#}",
    "error: maximum authentication attempts exceeded for invalid user {user...} from {client} port {port#}",
    "error: maximum authentication attempts exceeded for {user...} from {client} port {port#}",
    "User {user...} from {client} not allowed because",
    // Firewalls: pfSense, Palo Alto Networks.
    "{rule?},{-?},{-?},{tracker?},{interface?},{reason?},{action?},{direction?},4,{-?},{-?},{-?},{-?},{-?},{-?},{-?},{proto?},{-?},{source&},{destination&},{port#},{destination_port#},",
    "{rule?},{-?},{-?},{tracker?},{interface?},{reason?},{action?},{direction?},4,{-?},{-?},{-?},{-?},{-?},{-?},{-?},{proto?},{-?},{source&},{destination&},",
    "{rule?},{-?},{-?},{tracker?},{interface?},{reason?},{action?},{direction?},6,{-?},{-?},{-?},{proto?},{-?},{-?},{source&},{destination&},{port#},{destination_port#},",
    "{rule?},{-?},{-?},{tracker?},{interface?},{reason?},{action?},{direction?},6,{-?},{-?},{-?},{proto?},{-?},{-?},{source&},{destination&},",
    r#"{-@} {host} 1,{receive_time?},{serial},{type},{subtype?},{-?},{generated_time..},{source&},{destination&},{nat_source?},{nat_destination?},"{rule..}",{user?},{-?},{application?},{-?},{from_zone?},{to_zone?},{-?},{-?},{-?},{-?},{session?},{-?},{port#},{destination_port#},{-?},{-?},{-?},{proto?},{action?},"#,
    "{-@} {host} 1,{receive_time?},{serial},{type},{subtype?},{-?},{generated_time..},{source&},{destination&},{nat_source?},{nat_destination?},{rule?},{user?},{-?},{application?},{-?},{from_zone?},{to_zone?},{-?},{-?},{-?},{-?},{session?},{-?},{port#},{destination_port#},{-?},{-?},{-?},{proto?},{action?},",
    // who, last, lastb, utmpdump.
    "{user} pts/{-} {-} {-} ({client})",
    "{user} tty{-} {-} {-} ({client})",
    "{user} pts/{-} {client&} ",
    "{user} ssh:notty {client&} ",
    "[{-}] [{-}] [{-..}] [{user..}] [{terminal..}] [{-..}] [{client} ",
    "[{-}] [{-}] [{-..}] [{user..}] [{terminal..}] [{-..}] [{client}]",
    // PostgreSQL by `%m [%p] %q%u@%d %r ` and as CSV, the audit of MariaDB.
    "{-} {-} {-} [{-#}] {user}@{database} {client}({port#}) {level}:  ",
    r#"{-} {-} {-},"{user..}","{database..}",{-#},"{client..}","#,
    "{-#} {-},{host?},{user?},{client?},{-#},{-#},CONNECT,{database?},",
    "{-#} {-},{host?},{user?},{client?},{-#},{-#},FAILED_CONNECT,{database?},",
    "{-#} {-},{host?},{user?},{client?},{-#},{-#},DISCONNECT,{database?},",
    "{-#} {-},{host?},{user?},{client?},{-#},{-#},QUERY,{database?},",
    // The network policy server of Windows: its own, the clients, and in the class its own again.
    r#"{host?},"IAS",{-?},{-?},{type?},{user?},{-?},{listener?},{client?},{-?},{-?},{nas_name?},{nas_ip?},{nas_port?},{-?},{nas_ip?},{-?},{-?},{-?},{-?},{-?},{-?},{-?},{-?},{-?},{reason?},{local?},"#,
    // Cyrus, rsync.
    "badlogin: [{client}] {method} ({user..}) [",
    "login: [{client}] {user} {method} ",
    "{-} {-} [{-#}] rsync {-} {path} from {user}@{-} ({client})",
    "{-} {-} [{-#}] auth failed on module {-} from {-} ({client}) for {user}: ",
    // Dante: a connection, and what went through it.
    "info: {-}: {-} [: {client} {listener} -> {local} {server}",
    "info: {-}: {-} ]: {-#} -> {client} {listener} -> {-}, {-#} -> {local} {server} ",
    "info: {-}: {-} ]: {client} {listener} -> {local} {server}",
    // slapd, dhcpd: who asked, and where.
    "conn={-#} fd={-#} ACCEPT from IP={client} (IP={listener})",
    "DHCPREQUEST for {client} ({listener}) from {mac} ",
    "DHCPREQUEST for {client} from {mac} ",
    "DHCPACK on {client} to {mac} ",
    "DHCPOFFER on {client} to {mac} ",
    "DHCPRELEASE of {client} from {mac} ",
];

/// What may be anywhere in a line, by its first words.
pub(super) const PARTS: [&str; 27] = [
    r#"request: "{method} {path} {-}""#,
    "query: {query} {-} {-} {-} ({listener})",
    "for user '{user..}'",
    "): user '{user..}' ",
    "for user [{user..}]",
    "User {user}@{client&} logged in as ",
    "Cannot login {user}@{client&}",
    // PgBouncer: of clients and servers.
    " C-0x{-}: {database}/{user}@{client&} ",
    " S-0x{-}: {database}/{user}@{server&} ",
    // FreeRADIUS, coturn, MariaDB.
    "Login OK: [{user..}]",
    "): [{user}/{-..}] (from client ",
    " tls connected to: {client&}",
    "Local relay addr: {local&}",
    "Access denied for user '{user..}'@'{client&}'",
    " host: '{client&}'",
    "Connect\t{user}@{client} ",
    // ejabberd, stunnel, lighttpd, Knot, the recursor of PowerDNS: who was asked.
    "authentication for {user} from {client}:",
    " s_connect: connected {server}",
    " s_connect: connect {server}",
    " connected remote server from {local}",
    "failed: socket: tcp:{server}",
    "] notify, outgoing, remote {server},",
    "] refresh, remote {-}, address {server},",
    // amavis, keepalived, tinyproxy.
    "MTA(smtp:[{server}]",
    "Assigned address {local} for interface ",
    "gratuitous ARPs on {-} for {local}",
    "gratuitous ARP on {-} for {local}",
];
