//! The book's page of what each command takes: every example is run, and every command is in the list.

use std::collections::BTreeSet;

use crate::common::Folder;
use clap::CommandFactory as _;
use manycore_operations::inputs::{Answer, INPUTS, Input};

#[test]
fn examples_give_what_the_page_says() {
    let folder = Folder::new();
    for example in INPUTS.iter().flat_map(|input| input.examples) {
        let is_file = |word: &&str| *word == "x" || word.starts_with("x.");
        let file = example.line.split_whitespace().find(is_file).unwrap();
        folder.file(file, example.text);
        let run = folder.manycore(&format!("{} --device host", example.line));
        match example.answer {
            Answer::Gives(expected) => {
                let output = run.output();
                let lines: Vec<&str> = output.lines().collect();
                assert_eq!(lines.join(" / "), expected, "{}: {:?}", example.line, example.text);
            }
            Answer::Refuses(expected) => {
                assert_eq!(run.error(2), format!("{file}:{expected}"), "{}: {:?}", example.line, example.text);
            }
        }
    }
}

#[test]
fn every_command_that_reads_a_file_is_in_the_list() {
    fn collect(command: &clap::Command, name: &str, all: &mut BTreeSet<String>) {
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let name = format!("{name} {}", sub.get_name()).trim().to_owned();
            let path = clap::builder::ValueParser::path_buf().type_id();
            let reads = sub.get_positionals().any(|argument| argument.get_value_parser().type_id() == path);
            if reads && !sub.has_subcommands() {
                all.insert(name.clone());
            }
            collect(sub, &name, all);
        }
    }
    let mut of_program = BTreeSet::new();
    collect(&manycore_cli::arguments::Cli::command(), "", &mut of_program);
    let listed: BTreeSet<String> = INPUTS.iter().flat_map(Input::commands).collect();
    assert_eq!(listed, of_program);
}
