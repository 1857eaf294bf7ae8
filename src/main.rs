//! ipspect: arguments in, a front end out. Puts together what the layers may not know of each other: the explorer and
//! the command line with the embedded service.

use std::{
    cell::OnceCell,
    convert::Infallible,
    env,
    io::{self, IsTerminal},
    os::unix::net::UnixStream,
    process::ExitCode,
    time::{Duration, SystemTime},
};

#[cfg(feature = "mcp")]
use std::sync::Arc;

#[cfg(feature = "mcp")]
use ipspect::mcp::Served;
use ipspect::{
    cli::{self, Args, CliCommand, CommandEnd, Console, Exit, Global, ManSection},
    contract::{Host, Token},
    demo::{Demo, DemoOptions, DemoRole, Fault, RANGES, examples},
    engine::{Engine, Error, GivenService, Kind, Result, Settings, runtime},
    model::{instant_of, parse_address},
    report::{Cell, Line},
    store::{
        fatal_signals::{self, EndingAllocator},
        threads::NoThread,
    },
    tui,
};
use mimalloc::MiMalloc;
use rustix::process::{Resource, getrlimit};

/// The answer of a query that was sent is given up after this: it may be paid for.
const PATIENCE_FOR_ANSWERS: Duration = Duration::from_secs(5);

/// Returns the large buffers of a query to the system when it ends, whichever thread allocated them.
#[global_allocator]
static ALLOCATOR: EndingAllocator<MiMalloc> = EndingAllocator(MiMalloc);

fn main() -> ExitCode {
    take_stack();
    let secured = cli::forbid_core_dumps();
    fatal_signals::handle_aborts();
    // A provider that is installed already is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match Args::read(env::args_os()) {
        Ok(args) => run(args, secured).into(),
        Err(exit) => exit.into(),
    }
}

/// Takes the memory of this thread's stack before any other: where it is limited, the system refuses an allocation, but a stack that
/// cannot grow ends the process by a signal.
#[expect(clippy::large_stack_arrays, reason = "the stack is what it takes")]
#[inline(never)]
fn take_stack() {
    const MOST: usize = 1 << 20;
    let limit = getrlimit(Resource::Stack).current;
    if limit.is_none_or(|limit| limit > 4 * MOST as u64) {
        let stack = [0_u8; MOST];
        std::hint::black_box(&stack);
    }
}

fn run(args: Args, secured: io::Result<()>) -> Exit {
    cli::survive_file_size_limits();
    // Lines on the terminal that the explorer draws on would tear its screen.
    let draws = matches!(args.command, None | Some(CliCommand::Demo { .. }));
    if !(draws && io::stderr().is_terminal()) {
        cli::log::start(args.global.verbose);
    }
    let console = Console::new(&args.global);
    if let Err(error) = Settings::check_clock(instant_of(SystemTime::now())) {
        return console.conclude(Err(error.into()));
    }
    if let Err(error) = secured.and_then(|()| spare_files()) {
        return console.conclude(Err(Error::machine("start", &error).into()));
    }
    let ended = runtime::run(front(args, &console));
    ended.unwrap_or_else(|error| console.conclude(Err(Error::machine("start", &error).into())))
}

/// Sees that the files can be opened that every run needs: the runtime panics where it has no room for its own.
fn spare_files() -> io::Result<()> {
    const PAIRS: usize = 5;
    let pairs: io::Result<Vec<_>> = (0..PAIRS).map(|_| UnixStream::pair()).collect();
    pairs.map(drop)
}

/// The front end that the arguments ask for.
async fn front(args: Args, console: &Console) -> Exit {
    let Args {
        mut global,
        command,
        address,
    } = args;
    match command {
        None => explore(&global, address.first(), console).await,
        Some(CliCommand::Demo { address }) => {
            global.demo = true;
            explore(&global, address.as_ref(), console).await
        }
        Some(CliCommand::Serve { faults }) => {
            cli::until_signal(console, serve(&faults, console)).await
        }
        #[cfg(feature = "mcp")]
        Some(CliCommand::Mcp(asked)) if asked.print_config => {
            console.conclude(ipspect::mcp::print_config(std::env::args(), console))
        }
        #[cfg(feature = "mcp")]
        Some(CliCommand::Mcp(asked)) => {
            let engine = OnceCell::new();
            let work = async {
                let (settings, _demo) = service(&global).await;
                let settings = settings?;
                let engine = engine.get_or_init(|| Arc::new(Ok(Engine::new(settings.clone()))));
                let served = Served {
                    settings,
                    is_demo: global.demo,
                    spend: asked.spend,
                    engine: Arc::clone(engine),
                };
                Ok(ipspect::mcp::serve(served).await?)
            };
            let exit = Box::pin(cli::until_signal(console, work)).await;
            if let Some(Ok(engine)) = engine.get().map(AsRef::as_ref) {
                finish(engine, console).await;
            }
            exit
        }
        Some(CliCommand::Help { command }) => console.conclude(cli::help(&command, console)),
        Some(CliCommand::Man { command }) => console.conclude(cli::man(&command, &keys(), console)),
        Some(command) => {
            let engine = OnceCell::new();
            let work = async {
                let (settings, _demo) = service(&global).await;
                let engine = engine.get_or_init(|| settings.clone().map(Engine::new));
                cli::run(command, settings, engine, console).await
            };
            let exit = cli::until_signal(console, work).await;
            if let Some(Ok(engine)) = engine.get() {
                finish(engine, console).await;
            }
            exit
        }
    }
}

/// Waits for the answers of queries that were sent and that nobody waits for any longer, so that they are kept.
async fn finish(engine: &Engine, console: &Console) {
    if engine.answers.is_waiting() {
        console.note("waiting for the answer to a query that was sent, 5 s at most");
        engine.answers.finish(PATIENCE_FOR_ANSWERS).await;
    }
}

/// What a run talks to: the configured service, or the embedded one, which runs for as long as it is kept.
async fn service(global: &Global) -> (Result<Settings>, Option<Demo>) {
    let settings = Settings::load(&global.overrides());
    if !global.demo {
        return (settings, None);
    }
    match (settings, start(Vec::new()).await) {
        (Ok(settings), Ok(demo)) => {
            let settings = given(&demo).map(|given| settings.on_invented(given));
            (settings, Some(demo))
        }
        (Err(error), _) | (_, Err(error)) => (Err(error), None),
    }
}

async fn start(faults: Vec<Fault>) -> Result<Demo> {
    let options = DemoOptions {
        faults,
        ..DemoOptions::default()
    };
    let demo = Demo::start(options).await;
    demo.map_err(|error| Error::machine("start the embedded service on loopback", &error))
}

/// The embedded service, as a service for the engine.
fn given(demo: &Demo) -> Result<GivenService> {
    let own = |what: &dyn std::fmt::Display| {
        Error::new(Kind::Machine, format!("the embedded service: {what}"))
    };
    let mut urls = Vec::new();
    for host in Host::ALL {
        let url = demo.url(host).parse();
        urls.push((host, url.map_err(|error| own(&error))?));
    }
    Ok(GivenService {
        urls,
        token: Token::new(demo.token(DemoRole::Full)).map_err(|error| own(&error))?,
        admitted: RANGES.to_vec(),
    })
}

/// Opens the explorer, and once more on the embedded service when that was chosen on its first screen.
async fn explore(global: &Global, address: Option<&String>, console: &Console) -> Exit {
    let mut global = global.clone();
    let mut entered: Option<tui::Entered> = None;
    loop {
        match open(&global, address, entered.clone(), console).await {
            Ok(tui::ExplorerEnd::Quit) => return Exit::DONE,
            Ok(tui::ExplorerEnd::Print(lines)) => {
                let printed = console.results(&(lines.join("\n") + "\n"));
                return console.conclude(printed.map(|()| Exit::DONE));
            }
            Ok(tui::ExplorerEnd::OpenDemo) => (global.demo, entered) = (true, None),
            Ok(tui::ExplorerEnd::OpenService(new)) => {
                global.demo = false;
                entered = Some(new.over(entered));
            }
            Ok(tui::ExplorerEnd::OpenProfile(name)) => {
                (global.profile, entered) = (Some(name), None)
            }
            Ok(tui::ExplorerEnd::OpenCase(name)) => global.case = name,
            Ok(tui::ExplorerEnd::Signal(number)) => {
                return Exit::of_signal(u8::try_from(number).unwrap_or_default());
            }
            Err(error) => return console.conclude(Err(error.into())),
        }
    }
}

async fn open(
    global: &Global,
    address: Option<&String>,
    entered: Option<tui::Entered>,
    console: &Console,
) -> Result<tui::ExplorerEnd> {
    let address = address.map(|text| parse_address(text)).transpose();
    let address = address.map_err(|error| {
        Error::new(Kind::Usage, error.to_string())
            .hint("the explorer opens on one address; `ipspect --help` lists the commands")
    })?;
    let (settings, _demo) = service(global).await;
    let examples =
        examples().map(|example| (example.address.to_string(), example.shows.to_owned()));
    let options = tui::ExplorerOptions {
        address,
        examples: if global.demo {
            examples.collect()
        } else {
            Vec::new()
        },
        entered,
    };
    let mut settings = settings?;
    for (host, url) in options.entered.iter().flat_map(|entered| &entered.urls) {
        settings.service.set_url(*host, url.clone());
    }
    let engine = Engine::new(settings);
    engine.check_folders()?;
    let outcome = tui::run(engine.clone(), options).await;
    finish(&engine, console).await;
    outcome.map_err(|error| {
        if let Some(system) = error.downcast_ref::<io::Error>()
            && NoThread::is_behind(system)
        {
            return Error::machine("show the explorer", system);
        }
        Error::new(Kind::Machine, format!("{error:#}"))
            .hint("`ipspect lookup ADDRESS` answers without the explorer")
    })
}

/// What keys mean in the explorer, place by place, for the manual.
fn keys() -> Vec<ManSection> {
    let mut sections: Vec<ManSection> = Vec::new();
    let bindings = tui::shell::keys::BINDINGS.iter();
    for binding in bindings.filter(|binding| !binding.help.is_empty()) {
        let heading = format!("KEYS: {}", binding.scope.title().to_uppercase());
        let own = sections
            .iter()
            .position(|section| section.heading == heading);
        let own = own.unwrap_or_else(|| {
            let entries = Vec::new();
            sections.push(ManSection { heading, entries });
            sections.len() - 1
        });
        let name = tui::shell::keys::configured::name(binding.intent);
        let entry = (
            binding.chord.to_string(),
            format!("{} ({name})", binding.help),
        );
        sections[own].entries.push(entry);
    }
    sections
}

/// Runs the embedded service alone and says where it is, until a signal ends it.
async fn serve(faults: &[String], console: &Console) -> std::result::Result<Exit, CommandEnd> {
    let faults: std::result::Result<Vec<Fault>, _> =
        faults.iter().map(|text| text.parse()).collect();
    let faults = faults.map_err(|error| {
        Error::new(Kind::Usage, error.to_string())
            .hint("for example --fault context:500x2; `ipspect help serve` explains more")
    })?;
    let demo = start(faults).await?;
    let tokens = DemoRole::ALL.map(|role| (role.name().to_owned(), demo.token(role).into()));
    let tokens: serde_json::Map<String, serde_json::Value> = tokens.into_iter().collect();
    let line = Host::ALL.into_iter().fold(Line::default(), |line, host| {
        line.key(host.key(), demo.url(host))
    });
    let line = line
        .key("token", demo.token(DemoRole::Full))
        .key("tokens", Cell::json(tokens))
        .end();
    console.line(&line)?;
    console.if_interrupted("the embedded service has ended");
    match std::future::pending::<Infallible>().await {}
}
